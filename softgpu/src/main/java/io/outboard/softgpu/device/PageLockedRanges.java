// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import java.util.Map;
import java.util.TreeMap;

/** Page-locked memory of this process that devices reach at its own address. */
public final class PageLockedRanges {
  // Bytes by address; guarded by this object's monitor.
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  public synchronized void add(long address, long bytes) {
    ranges.put(address, bytes);
  }

  public synchronized void remove(long address) {
    ranges.remove(address);
  }

  synchronized boolean contains(long address, long bytes) {
    Map.Entry<Long, Long> range = ranges.floorEntry(address);
    return range != null && address - range.getKey() <= range.getValue() - bytes;
  }
}
