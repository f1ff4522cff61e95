// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import java.util.Map;
import java.util.TreeMap;

/** Device addresses behind a device's own memory, in units of {@link #UNIT} bytes. */
public final class Reservations {
  /** Sizes and addresses of reserved and mapped memory are multiples of this. */
  public static final long UNIT = 2L << 20;

  private final long base;
  private final long all;
  private final RangeAllocator units;
  private final TreeMap<Long, Long> sizeByStart = new TreeMap<>();

  Reservations(long base, long bytes) {
    this.base = base;
    this.all = bytes;
    this.units = new RangeAllocator(scaled(bytes));
  }

  /** Whether a size or an address is a multiple of the unit. */
  public static boolean isWhole(long bytes) {
    return (bytes & (UNIT - 1)) == 0;
  }

  public static long rounded(long bytes) {
    return (bytes + UNIT - 1) & -UNIT;
  }

  static long roundedDown(long bytes) {
    return bytes & -UNIT;
  }

  /** Reserves so many bytes; the first address, or 0. */
  public synchronized long reserve(long bytes) {
    long start = units.allocate(scaled(bytes));
    if (start < 0) {
      return 0;
    }
    long address = base + start / RangeAllocator.ALIGNMENT * UNIT;
    sizeByStart.put(address, bytes);
    return address;
  }

  /**
   * Reserves at the address that is wished for, where that is free and one of these; else, as the
   * vendor's driver does, anywhere.
   */
  public synchronized long reserve(long wanted, long wished) {
    boolean here = isWhole(wished) && wished >= base && wished - base <= all - wanted;
    if (!here || !units.allocateAt(scaled(wished - base), scaled(wanted))) {
      return reserve(wanted);
    }
    sizeByStart.put(wished, wanted);
    return wished;
  }

  private static long scaled(long ofBytes) {
    return ofBytes / UNIT * RangeAllocator.ALIGNMENT;
  }

  /** Ends a reservation; false if there is none that begins there and has this size. */
  public synchronized boolean free(long address, long bytes) {
    boolean known = sizeByStart.remove(address, bytes);
    if (known) {
      units.release(scaled(address - base), scaled(bytes));
    }
    return known;
  }

  /** Whether all of a range is in one reservation. */
  public synchronized boolean has(long address, long bytes) {
    Map.Entry<Long, Long> entry = sizeByStart.floorEntry(address);
    return entry != null && bytes <= entry.getKey() + entry.getValue() - address;
  }
}
