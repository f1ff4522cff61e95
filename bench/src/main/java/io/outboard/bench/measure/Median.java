// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.util.Arrays;

/** The middle value. */
public final class Median {
  private Median() {}

  /** Of an even number of values the mean of the two in the middle. */
  public static double of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
