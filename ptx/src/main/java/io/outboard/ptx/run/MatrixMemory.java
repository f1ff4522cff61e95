// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.math.Fragment;

/** Moves registers of matrix fragments from and to memory, at generic addresses. */
public final class MatrixMemory {
  private MatrixMemory() {}

  /**
   * Loads one register.
   *
   * @param base of the matrix
   * @param stride elements from row to row, or column to column
   * @param register the register's index in the fragment
   * @param code {@link Fragment#code}
   */
  public static int load(
      BlockContext context, int thread, long base, int stride, int register, int code) {
    Fragment fragment = Fragment.of(code);
    if (!fragment.halves()) {
      long address = address(fragment, thread, base, stride, register, code);
      return GenericMemory.load32(context, thread, address);
    }
    long low = address(fragment, thread, base, stride, 2 * register, code);
    long high = address(fragment, thread, base, stride, 2 * register + 1, code);
    int first = GenericMemory.load16(context, thread, low) & 0xffff;
    return first | (GenericMemory.load16(context, thread, high) << 16);
  }

  /** Stores one register; as {@link #load}. */
  public static void store(
      BlockContext context, int thread, long base, int stride, int register, int code, int value) {
    Fragment fragment = Fragment.of(code);
    if (!fragment.halves()) {
      long address = address(fragment, thread, base, stride, register, code);
      GenericMemory.store32(context, thread, address, value);
      return;
    }
    long low = address(fragment, thread, base, stride, 2 * register, code);
    long high = address(fragment, thread, base, stride, 2 * register + 1, code);
    GenericMemory.store16(context, thread, low, value);
    GenericMemory.store16(context, thread, high, value >>> 16);
  }

  private static long address(
      Fragment fragment, int thread, long base, int stride, int index, int code) {
    int lane = thread % 32;
    long row = fragment.row(lane, index);
    long column = fragment.column(lane, index);
    long element = code % 2 == 1 ? column * stride + row : row * stride + column;
    return base + element * (fragment.halves() ? Short.BYTES : Integer.BYTES);
  }
}
