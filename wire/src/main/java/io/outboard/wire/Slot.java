// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * The device addresses that one of several hosts hands out to a program. Addresses travel inside
 * kernel arguments and are never translated, so no two hosts of a program may have one in common.
 *
 * <p>A slot has two ranges of the same size. A software GPU and most of what a real driver maps lie
 * in the upper one; a real driver's pools and its reservations without a hint in the lower one.
 *
 * @param number from 0, that of the host which the program is connected to
 */
public record Slot(int number) {
  /** Most hosts of a program. */
  public static final int MOST = 8;

  /** Bytes of each of the two ranges. */
  public static final long BYTES = 4L << 40;

  /** Where the upper ranges begin: programs have nothing there. */
  public static final long BASE = 0x2a00_0000_0000L;

  /** Checks the number. */
  public Slot {
    if (number < 0 || number >= MOST) {
      throw new IllegalArgumentException("there are " + MOST + " slots, and none is " + number);
    }
  }

  /** The first address of the upper range. */
  public long upper() {
    return BASE + number * BYTES;
  }

  /** The first address of the lower range. */
  public long lower() {
    return (number + 1) * BYTES;
  }

  /** Whether an address lies in it. */
  public boolean holds(long address) {
    return isIn(upper(), address) || isIn(lower(), address);
  }

  private static boolean isIn(long begin, long address) {
    return address >= begin && address - begin < BYTES;
  }
}
