// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

/**
 * Where the spaces that are not device memory lie in the generic address space. The driver's
 * addresses end below 2^47, so that the windows cannot meet them.
 */
public final class Windows {
  /** An address shifted right by this is its window's number; 0 is device memory. */
  public static final int SHIFT = 56;

  public static final long SHARED = 1L << SHIFT;
  public static final long LOCAL = 2L << SHIFT;
  public static final long PARAMETER = 3L << SHIFT;

  private Windows() {}

  /** 1 where {@code address} is in {@code window}, else 0. */
  public static int contains(long address, long window) {
    return address >>> SHIFT == window ? 1 : 0;
  }
}
