// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

/**
 * A lane's part of a matrix of 16 by 16 elements; PTX leaves open which elements that are. Of the
 * left factor it is a row, of the right one a column, of sums half a row:
 *
 * <pre>
 *   left: row lane % 16      right: column lane % 16      sums: row lane % 16, columns from lane / 16 * 8
 * </pre>
 */
public enum Fragment {
  LEFT(8, true),
  RIGHT(8, true),
  SUM_OF_HALVES(4, true),
  SUM(8, false);

  private static final int COLUMNS = 8;

  private final int registers;
  private final boolean halves;

  Fragment(int registers, boolean halves) {
    this.registers = registers;
    this.halves = halves;
  }

  /** How many registers of 32 bits. */
  public int registers() {
    return registers;
  }

  /** Whether a register holds two elements of 16 bits. */
  public boolean halves() {
    return halves;
  }

  /** A number for the fragment of a matrix that lies in memory by rows or by columns. */
  public int code(boolean columns) {
    int number =
        switch (this) {
          case LEFT -> 0;
          case RIGHT -> 1;
          case SUM_OF_HALVES -> 2;
          case SUM -> 3;
        };
    return 2 * number + (columns ? 1 : 0);
  }

  /** The fragment of such a number. */
  public static Fragment of(int code) {
    return switch (code / 2) {
      case 0 -> LEFT;
      case 1 -> RIGHT;
      case 2 -> SUM_OF_HALVES;
      default -> SUM;
    };
  }

  /** The row of element {@code index} of a lane. */
  public int row(int lane, int index) {
    return this == RIGHT ? index : lane % 16;
  }

  /** The column of element {@code index} of a lane. */
  public int column(int lane, int index) {
    return switch (this) {
      case LEFT -> index;
      case RIGHT -> lane % 16;
      case SUM_OF_HALVES, SUM -> firstColumn(lane) + index;
    };
  }

  /** The first of the columns of sums that a lane holds. */
  public static int firstColumn(int lane) {
    return lane / 16 * COLUMNS;
  }
}
