// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

/** The times of calls of one size on one side, in nanoseconds. The last ones count most. */
final class Estimate {
  private static final double NEW = 0.5;

  private double mean;
  private double deviation;
  private long count;

  /** The first one is forgotten with the next: nothing was compiled then, or connected. */
  void add(double taken) {
    if (count < 2) {
      mean = taken;
      deviation = 0;
    } else {
      deviation += NEW * (Math.abs(taken - mean) - deviation);
      mean += NEW * (taken - mean);
    }
    count++;
  }

  double mean() {
    return mean;
  }

  /** A time that is exceeded rarely. */
  double late() {
    return mean + 2 * deviation;
  }
}
