// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

/** The times of calls of a method on one side, by the power of two of their size. */
final class Side {
  private static final int CLASSES = Long.SIZE;

  private final Estimate[] classes = new Estimate[CLASSES];

  /** The class of a size. */
  static int of(long size) {
    return CLASSES - 1 - Long.numberOfLeadingZeros(Math.max(1, size));
  }

  void add(int size, double taken) {
    if (classes[size] == null) {
      classes[size] = new Estimate();
    }
    classes[size].add(taken);
  }

  boolean isKnown(int size) {
    return classes[size] != null;
  }

  /** Whether anything is known. */
  boolean isKnown() {
    for (Estimate one : classes) {
      if (one != null) {
        return true;
      }
    }
    return false;
  }

  /** The expected time of a call of a size, in nanoseconds. */
  double mean(int size) {
    return classes[size] != null ? classes[size].mean() : between(size);
  }

  /** A time that it is rarely above. */
  double late(int size) {
    return classes[size] != null ? classes[size].late() : between(size);
  }

  /** Of the sizes that are known the nearest ones say it: a part that is fixed, and one a byte. */
  private double between(int size) {
    int below = next(size, -1);
    int above = next(size, 1);
    int one = below >= 0 ? below : above;
    int other = below >= 0 && above < CLASSES ? above : next(one, below >= 0 ? -1 : 1);
    if (other < 0 || other >= CLASSES) {
      return classes[one].mean() * Math.pow(2, (size - one) / 2.0);
    }
    double first = classes[one].mean();
    double slope = (classes[other].mean() - first) / (bytes(other) - bytes(one));
    return Math.max(0, first + Math.max(0, slope) * (bytes(size) - bytes(one)));
  }

  private static double bytes(int size) {
    return Math.pow(2, size);
  }

  /** The next class that is known; out of range if there is none. */
  private int next(int size, int step) {
    int at = size + step;
    while (at >= 0 && at < CLASSES && classes[at] == null) {
      at += step;
    }
    return at;
  }
}
