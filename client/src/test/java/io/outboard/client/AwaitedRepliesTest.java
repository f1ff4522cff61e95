// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A thread takes replies in the order of its calls, in whatever order they come. */
class AwaitedRepliesTest {
  private final AwaitedReplies replies = new AwaitedReplies();

  private void answer(long sequence, int result) {
    assertTrue(replies.find(sequence));
    replies.answer(result, 0);
  }

  @Test
  void repliesComeInAnyOrder() {
    replies.ask(1);
    replies.ask(2);
    replies.awaitOldest();
    answer(2, 7);
    assertTrue(replies.areMissing());
    answer(1, 5);
    assertFalse(replies.areMissing());
    assertEquals(5, replies.take().result());
    assertEquals(7, replies.take().result());
    assertTrue(replies.isEmpty());
  }

  @Test
  void aReplyComesOnce() {
    assertFalse(replies.find(0));
    replies.ask(1);
    answer(1, 0);
    assertFalse(replies.find(1));
  }

  @Test
  void aPlaceIsForOneReply() {
    replies.place(4096, 8);
    replies.ask(1);
    replies.ask(2);
    assertTrue(replies.find(1));
    assertEquals(4096, replies.place());
    assertEquals(8, replies.placeBytes());
    assertTrue(replies.find(2));
    assertEquals(0, replies.place());
  }

  @Test
  void soManyAreOwedAtMost() {
    for (int i = 1; i <= AwaitedReplies.MOST; i++) {
      assertFalse(replies.isFull());
      replies.ask(i);
    }
    assertTrue(replies.isFull());
  }
}
