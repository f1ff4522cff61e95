// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The physical memory (CUDA Driver API, "Virtual Memory Management") that a session has made: it is
 * there until it is released and mapped nowhere.
 */
final class PhysicalMemories {
  private final MemoryCredit credit;
  // Guarded by this object's monitor, as is what they hold.
  private final Map<Long, Physical> made = new HashMap<>();
  private final NavigableMap<Long, Physical> mapped = new TreeMap<>();

  private static final class Physical {
    private final int gpu;
    private final long bytes;
    private int holders = 1;

    Physical(int gpu, long bytes) {
      this.gpu = gpu;
      this.bytes = bytes;
    }
  }

  PhysicalMemories(MemoryCredit credit) {
    this.credit = credit;
  }

  /** Memory has been made, which is counted already. */
  synchronized void made(long allocation, int gpu, long bytes) {
    made.put(allocation, new Physical(gpu, bytes));
  }

  /** It is mapped; memory of others is theirs. */
  synchronized void mapped(long address, long allocation) {
    Physical memory = made.get(allocation);
    if (memory != null) {
      memory.holders++;
      mapped.put(address, memory);
    }
  }

  /** The mappings of a range have ended. */
  synchronized void unmapped(long address, long bytes) {
    NavigableMap<Long, Physical> range = mapped.subMap(address, true, address + bytes, false);
    range.values().forEach(this::leave);
    range.clear();
  }

  /** The last of the session's holders has released it. */
  synchronized void released(long allocation) {
    Physical memory = made.remove(allocation);
    if (memory != null) {
      leave(memory);
    }
  }

  private void leave(Physical memory) {
    memory.holders--;
    if (memory.holders == 0) {
      credit.give(memory.gpu, memory.bytes);
    }
  }
}
