// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;
import org.junit.jupiter.api.Test;

final class LongAnswersTest {
  private static final int IMAGE = 8 << 20;

  private final LongAnswers answers = new LongAnswers();

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
    assertTrue(second.bytes() > 2 * IMAGE);
    answers.giveBack(first, IMAGE);
    answers.giveBack(second, 2 * IMAGE);
    answers.close();
  }

  @Test
  void moreThanTheBoundIsRefusedUntilSomeAreGivenBack() {
    NativeBuffer first = answers.take(Limits.REPLY);
    NativeBuffer second = answers.take(Limits.REPLY);
    assertThrows(ProtocolException.class, () -> answers.take(8));
    answers.giveBack(first, Limits.REPLY);
    answers.giveBack(answers.take(8), 8);
    answers.giveBack(second, Limits.REPLY);
    answers.close();
  }
}
