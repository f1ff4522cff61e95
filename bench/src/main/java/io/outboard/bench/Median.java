// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench;

import java.util.Arrays;

/** The middle value. */
final class Median {
  private Median() {}

  static double of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
