// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import java.util.Map;
import java.util.TreeMap;

/** Ranges of memory that a session shares with its client; the owner of this object guards it. */
final class SharedRanges {
  private final TreeMap<Long, Long> ends = new TreeMap<>();
  private long latestBegin;
  private long latestEnd;

  int count() {
    return ends.size();
  }

  void add(long begin, long bytes) {
    ends.put(begin, begin + bytes);
  }

  /** Takes out the range that begins at an address; returns its bytes, 0 if there is none. */
  long remove(long begin) {
    Long end = ends.remove(begin);
    latestBegin = 0;
    latestEnd = 0;
    return end == null ? 0 : end - begin;
  }

  /** Whether all these bytes lie in one range. */
  boolean contains(long address, long bytes) {
    return lie(address, bytes, latestBegin, latestEnd) || find(address, bytes);
  }

  private boolean find(long address, long bytes) {
    Map.Entry<Long, Long> entry = ends.floorEntry(address);
    if (entry == null || !lie(address, bytes, entry.getKey(), entry.getValue())) {
      return false;
    }
    latestBegin = entry.getKey();
    latestEnd = entry.getValue();
    return true;
  }

  private static boolean lie(long address, long bytes, long begin, long end) {
    return address >= begin && address < end && bytes >= 0 && bytes <= end - address;
  }
}
