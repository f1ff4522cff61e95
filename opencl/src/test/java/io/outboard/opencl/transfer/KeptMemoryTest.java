// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

class KeptMemoryTest {
  private static final long MIB = 1 << 20;
  private static final long MARK = 0x5EED;

  private final KeptMemory memory = new KeptMemory();

  private long marked(long bytes) {
    long block = memory.allocate(bytes);
    assertNotEquals(0, block);
    Native.putLong(block, MARK);
    return block;
  }

  @Test
  void aLargeBlockStaysForTheNextData() {
    long block = marked(64 * MIB);
    memory.free(block);
    assertEquals(block, memory.allocate(40 * MIB));
    assertNotEquals(block, memory.allocate(40 * MIB));
  }

  @Test
  void aBlockThatIsTooSmallOrMuchTooLargeIsNotUsed() {
    long block = marked(8 * MIB);
    memory.free(block);
    long larger = memory.allocate(9 * MIB);
    long smaller = memory.allocate(3 * MIB);
    assertNotEquals(block, larger);
    assertNotEquals(block, smaller);
    assertEquals(block, memory.allocate(8 * MIB));
  }

  /** The older of two that do not both stay is given back. */
  @Test
  void whatStaysHasABound() {
    long first = marked(KeptMemory.MOST_KEPT - MIB);
    long second = marked(2 * MIB);
    memory.free(first);
    memory.free(second);
    assertEquals(second, memory.allocate(2 * MIB));
    long third = marked(KeptMemory.MOST_KEPT + MIB);
    memory.free(third);
    assertEquals(0, memory.bytesKept());
  }
}
