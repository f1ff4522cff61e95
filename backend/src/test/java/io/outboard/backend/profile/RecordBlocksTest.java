// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Records of a session have a bound, and what is dropped beyond it is counted. */
final class RecordBlocksTest {
  private static final int RECORD = 128;
  private static final int IN_A_BLOCK = RecordBlocks.BLOCK / RECORD;

  private final RecordBlocks blocks = new RecordBlocks(2);

  private boolean add(long number) {
    return blocks.add(RECORD, at -> Native.putLong(at, number));
  }

  @Test
  void dropsWhatItHasNoRoomForAndCountsIt() {
    for (int i = 0; i < 2 * IN_A_BLOCK; i++) {
      assertTrue(add(i));
    }
    assertFalse(add(0));
    assertFalse(add(0));
    blocks.drop(3);
    assertEquals(5, blocks.dropped());
    assertEquals(0, blocks.dropped());
  }

  @Test
  void handsOutWholeBlocksInTheirOrder() {
    for (int i = 0; i <= IN_A_BLOCK; i++) {
      assertTrue(add(i));
    }
    try (NativeBuffer room = new NativeBuffer(RecordBlocks.BLOCK)) {
      assertEquals(RecordBlocks.BLOCK, blocks.first());
      assertFalse(blocks.take(room.address(), RECORD));
      assertTrue(blocks.take(room.address(), RecordBlocks.BLOCK));
      assertEquals(IN_A_BLOCK - 1, Native.getLong(room.address() + RecordBlocks.BLOCK - RECORD));
      assertTrue(blocks.take(room.address(), RECORD));
      assertEquals(IN_A_BLOCK, Native.getLong(room.address()));
      assertEquals(0, blocks.first());
    }
  }
}
