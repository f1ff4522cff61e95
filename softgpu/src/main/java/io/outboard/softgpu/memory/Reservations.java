// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import java.util.Map;
import java.util.TreeMap;

/** Device addresses that programs reserve, in units of {@link #UNIT} bytes. */
public final class Reservations {
  /** Sizes and addresses of reserved and mapped memory are multiples of this. */
  public static final long UNIT = 2L << 20;

  private final long base;
  private final RangeAllocator units;
  private final TreeMap<Long, Long> sizeByStart = new TreeMap<>();

  Reservations(long base, long bytes) {
    this.base = base;
    this.units = new RangeAllocator(bytes / UNIT * RangeAllocator.ALIGNMENT);
  }

  /** Whether a size or an address is a multiple of the unit. */
  public static boolean isWhole(long bytes) {
    return (bytes & (UNIT - 1)) == 0;
  }

  public static long rounded(long bytes) {
    return (bytes + UNIT - 1) & -UNIT;
  }

  /** Reserves so many bytes; the first address, or 0. */
  public synchronized long reserve(long bytes) {
    long start = units.allocate(bytes / UNIT * RangeAllocator.ALIGNMENT);
    if (start < 0) {
      return 0;
    }
    long address = base + start / RangeAllocator.ALIGNMENT * UNIT;
    sizeByStart.put(address, bytes);
    return address;
  }

  /** Ends a reservation; false if there is none that begins there and has this size. */
  public synchronized boolean free(long address, long bytes) {
    boolean known = sizeByStart.remove(address, bytes);
    if (known) {
      long start = (address - base) / UNIT * RangeAllocator.ALIGNMENT;
      units.release(start, bytes / UNIT * RangeAllocator.ALIGNMENT);
    }
    return known;
  }

  /** Whether all of a range is in one reservation. */
  public synchronized boolean has(long address, long bytes) {
    Map.Entry<Long, Long> entry = sizeByStart.floorEntry(address);
    return entry != null && address + bytes <= entry.getKey() + entry.getValue();
  }
}
