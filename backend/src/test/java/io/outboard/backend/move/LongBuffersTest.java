// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.ProtocolException;
import org.junit.jupiter.api.Test;

final class LongBuffersTest {
  private static final int IMAGE = 8 << 20;

  private static final long MOST = 4L * IMAGE;

  private final LongBuffers answers = new LongBuffers(MOST);

  @Test
  void oneImageAfterTheOtherHasTheSamePages() {
    NativeBuffer first = answers.take(IMAGE);
    long address = first.address();
    answers.giveBack(first, IMAGE);
    NativeBuffer second = answers.take(IMAGE - 8);
    assertEquals(address, second.address());
    answers.giveBack(second, IMAGE - 8);
    answers.close();
  }

  @Test
  void twoAtATimeHaveRoomOfTheirOwn() {
    NativeBuffer first = answers.take(IMAGE);
    NativeBuffer second = answers.take(2 * IMAGE);
    assertNotEquals(first.address(), second.address());
    assertTrue(second.bytes() >= 2 * IMAGE);
    answers.giveBack(first, IMAGE);
    answers.giveBack(second, 2 * IMAGE);
    answers.close();
  }

  @Test
  void moreThanTheBoundIsRefusedUntilSomeAreGivenBack() {
    NativeBuffer all = answers.take(MOST);
    assertThrows(ProtocolException.class, () -> answers.take(8));
    answers.giveBack(all, MOST);
    answers.giveBack(answers.take(8), 8);
    answers.close();
  }
}
