// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

/** A part of a whole, as a bar and a figure. */
final class Bar {
  private static final int CELLS = 6;
  private static final double WHOLE = 100;

  private Bar() {}

  /**
   * Draws one.
   *
   * @param part of 1; what is above counts as 1
   * @param figure what stands beside it
   */
  static String of(double part, String figure) {
    int full = (int) Math.round(Math.clamp(part, 0, 1) * CELLS);
    return "#".repeat(full) + ".".repeat(CELLS - full) + " " + figure;
  }

  /** One in percent. */
  static String percent(double part) {
    return of(part, "%.0f %%".formatted(Math.clamp(part, 0, 1) * WHOLE));
  }
}
