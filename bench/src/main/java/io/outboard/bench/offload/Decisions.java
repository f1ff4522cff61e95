// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.decide.Fastest;

/** The time that a decision takes, with what it learns of the call after it. */
final class Decisions {
  private static final int WARM_UP = 2_000_000;
  private static final int MANY = 5_000_000;
  private static final int SIZES = 8;
  private static final long HERE = 1_000_000;
  private static final long THERE = 1_100_000;

  private final Fastest fastest = new Fastest();
  private final OffloadMethod<Void> method =
      new OffloadMethod<>(0, "method", true, in -> null, (number, text) -> null);
  private long remote;

  /** The mean of many, in nanoseconds. */
  static double nanoseconds() {
    Decisions decisions = new Decisions();
    decisions.make(WARM_UP);
    long begin = System.nanoTime();
    decisions.make(MANY);
    double mean = (System.nanoTime() - begin) / (double) MANY;
    if (decisions.remote == 0) {
      throw new IllegalStateException("nothing was decided");
    }
    return mean;
  }

  private void make(int count) {
    for (int i = 0; i < count; i++) {
      long size = 64L << (i % SIZES);
      boolean there = fastest.isRemote(method, size);
      remote += there ? 1 : 0;
      fastest.ended(method, size, there, there ? THERE : HERE);
    }
  }
}
