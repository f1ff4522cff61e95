// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces are allocated and released in any order. */
class RangeAllocatorTest {
  private static final long SIZE = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void neverOverlapsAndJoinsWhatIsFree(long seed) {
    RangeAllocator ranges = new RangeAllocator(SIZE);
    NavigableMap<Long, Long> taken = new TreeMap<>();
    Random random = new Random(seed);
    int refused = 0;
    for (int step = 0; step < 20_000; step++) {
      if (random.nextInt(5) < 3) {
        long bytes = 1L + random.nextInt(1 << (1 + random.nextInt(17)));
        long start = ranges.allocate(bytes);
        refused += start < 0 ? 1 : 0;
        add(taken, start, bytes);
      } else if (!taken.isEmpty()) {
        remove(ranges, taken, random.nextLong(SIZE));
      }
      assertEquals(SIZE - used(taken), ranges.free());
    }
    assertTrue(refused > 0, "the range was never full");
    while (!taken.isEmpty()) {
      remove(ranges, taken, 0);
    }
    assertEquals(SIZE, ranges.free());
    assertEquals(1, ranges.pieces());
    assertEquals(0, ranges.allocate(SIZE));
  }

  /** The parts cut off before and behind a piece are free again. */
  @ParameterizedTest
  @ValueSource(longs = {1, 512, 4096, 5000})
  void aligns(long bytes) {
    RangeAllocator ranges = new RangeAllocator(SIZE);
    ranges.allocate(1);
    long start = ranges.allocate(bytes, 4096);
    assertEquals(4096, start);
    assertEquals(SIZE - RangeAllocator.ALIGNMENT - RangeAllocator.rounded(bytes), ranges.free());
    ranges.release(start, bytes);
    ranges.release(0, 1);
    assertEquals(1, ranges.pieces());
    assertEquals(-1, ranges.allocate(SIZE, 4096));
  }

  private static void add(NavigableMap<Long, Long> taken, long start, long bytes) {
    if (start < 0) {
      return;
    }
    long size = RangeAllocator.rounded(bytes);
    assertEquals(0, start % RangeAllocator.ALIGNMENT);
    assertTrue(start + size <= SIZE);
    Map.Entry<Long, Long> before = taken.floorEntry(start);
    assertTrue(
        before == null || before.getKey() + RangeAllocator.rounded(before.getValue()) <= start);
    Long after = taken.ceilingKey(start);
    assertTrue(after == null || start + size <= after);
    taken.put(start, bytes);
  }

  private static void remove(RangeAllocator ranges, NavigableMap<Long, Long> taken, long near) {
    Long start = taken.ceilingKey(near);
    start = start != null ? start : taken.firstKey();
    ranges.release(start, taken.remove(start));
  }

  private static long used(NavigableMap<Long, Long> taken) {
    long used = 0;
    for (long bytes : taken.values()) {
      used += RangeAllocator.rounded(bytes);
    }
    return used;
  }
}
