// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.math.Fragment;
import io.outboard.ptx.math.HalfMath;

/**
 * Multiplies matrices of 16 by 16 whose fragments the lanes of a warp have left in their mailboxes,
 * and adds a third; sums are single precision, rounded once where the result is halves.
 */
final class MatrixProduct {
  private static final int WIDTH = 16;
  private static final int PAIRS = WIDTH / 2;
  private static final int COLUMNS = 8;

  private final int[] mail;
  private final int first;
  private final int ints;

  /** The mailbox of lane {@code l} begins at {@code first + l * ints}. */
  MatrixProduct(int[] mail, int first, int ints) {
    this.mail = mail;
    this.first = first;
    this.ints = ints;
  }

  private int at(int lane, int slot) {
    return mail[first + lane * ints + slot];
  }

  /** Puts the results of all lanes in the place of what they added. */
  void run(boolean halvesIn, boolean halvesOut) {
    for (int lane = 0; lane < 32; lane++) {
      float[] sums = new float[COLUMNS];
      for (int column = 0; column < COLUMNS; column++) {
        sums[column] = addend(lane, column, halvesIn) + product(lane, column);
      }
      give(lane, sums, halvesOut);
    }
  }

  private float addend(int lane, int column, boolean halves) {
    if (!halves) {
      return Float.intBitsToFloat(at(lane, Cut.MATRIX_SUM + column));
    }
    int pair = at(lane, Cut.MATRIX_SUM + column / 2);
    return HalfMath.fromHalf(pair >>> (column % 2 * 16));
  }

  /** A lane has its row of the left factor itself. */
  private float product(int lane, int column) {
    int other = Fragment.firstColumn(lane) + column;
    float sum = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
      int left = at(lane, Cut.MATRIX_LEFT + pair);
      int right = at(other, Cut.MATRIX_RIGHT + pair);
      sum += HalfMath.fromHalf(left) * HalfMath.fromHalf(right);
      sum += HalfMath.fromHalf(left >>> 16) * HalfMath.fromHalf(right >>> 16);
    }
    return sum;
  }

  private void give(int lane, float[] sums, boolean halves) {
    int slot = first + lane * ints + Cut.MATRIX_SUM;
    for (int column = 0; column < COLUMNS; column++) {
      int bits = Float.floatToRawIntBits(sums[column]);
      if (!halves) {
        mail[slot + column] = bits;
      } else {
        int half = Float.floatToFloat16(sums[column]) & 0xffff;
        int pair = column % 2 == 0 ? 0 : mail[slot + column / 2] & 0xffff;
        mail[slot + column / 2] = column % 2 == 0 ? half : pair | (half << 16);
      }
    }
  }
}
