// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The memory of one device: one arena, divided into allocations. */
final class DeviceMemory {
  /** Device addresses start here, where programs have no mappings of their own. */
  static final long BASE = 0x2a00_0000_0000L;

  /** Distance between the first addresses of two devices. */
  static final long STRIDE = 1L << 40;

  private final long base;
  private final long size;
  private final RangeAllocator ranges;
  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();
  private volatile MemorySegment arena;
  private volatile Allocation recent;

  DeviceMemory(int ordinal, long size) {
    this.base = BASE + ordinal * STRIDE;
    this.size = size;
    this.ranges = new RangeAllocator(size);
  }

  /** First device address. */
  long base() {
    return base;
  }

  /** Size in bytes. */
  long size() {
    return size;
  }

  /** Bytes that are not allocated. */
  synchronized long free() {
    return ranges.free();
  }

  /** All of it, mapped when first asked for. */
  MemorySegment arena() {
    MemorySegment mapped = arena;
    return mapped != null ? mapped : map();
  }

  private synchronized MemorySegment map() {
    if (arena == null) {
      arena = Mapping.map(size);
    }
    return arena;
  }

  /** Allocates, or returns null when there is no room. */
  synchronized Allocation allocate(long bytes, Context owner, boolean variable) {
    arena(); // a machine that cannot map it shall say so here, not in a copy
    long offset = ranges.allocate(bytes);
    if (offset < 0) {
      return null;
    }
    Allocation allocation = new Allocation(base + offset, bytes, owner, variable);
    allocations.put(allocation.address(), allocation);
    return allocation;
  }

  /** The allocation that starts at an address, or null. */
  synchronized Allocation startingAt(long address) {
    return allocations.get(address);
  }

  /** The allocation that an address lies in, or null. */
  Allocation find(long address) {
    Allocation found = recent;
    if (found != null && address - found.address() >= 0 && found.contains(address, 1)) {
      return found;
    }
    synchronized (this) {
      Map.Entry<Long, Allocation> entry = allocations.floorEntry(address);
      found = entry != null && entry.getValue().contains(address, 1) ? entry.getValue() : null;
      recent = found;
    }
    return found;
  }

  /** Frees an allocation; false when it has been freed already. */
  synchronized boolean release(Allocation allocation) {
    if (!allocations.remove(allocation.address(), allocation)) {
      return false;
    }
    recent = null;
    ranges.release(allocation.address() - base, allocation.bytes());
    return true;
  }

  /** Frees what belongs to a context. */
  synchronized void releaseAll(Context owner) {
    List<Allocation> owned = new ArrayList<>();
    for (Allocation allocation : allocations.values()) {
      if (allocation.owner() == owner) {
        owned.add(allocation);
      }
    }
    for (Allocation allocation : owned) {
      release(allocation);
    }
  }

  /**
   * The address in this process of {@code bytes} bytes at a device address, or 0 when they do not
   * lie in one allocation.
   */
  long resolve(long address, long bytes) {
    Allocation allocation = find(address);
    if (allocation == null || !allocation.contains(address, bytes)) {
      return 0;
    }
    return arena().address() + (address - base);
  }
}
