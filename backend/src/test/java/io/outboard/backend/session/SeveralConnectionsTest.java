// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.FakeLibrary;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames of several connections, of which any may be on its way for long. */
class SeveralConnectionsTest extends SeveralCase {
  private final FakeRing mine = FakeRing.connection();
  private final FakeRing others = FakeRing.connection();
  private final FakeRing first = FakeRing.connection();

  @BeforeEach
  void open() throws IOException, InterruptedException {
    serve(first);
    assertEquals(0, asked(1, 0));
    assertEquals(0, asked(2, 1));
    session.connect(0, mine);
    session.connect(1, others);
  }

  private int asked(long sequence, long number) throws InterruptedException {
    first.send(Frame.KIND_RING, 0, 0, 0, 3, sequence, 0, number);
    return first.result();
  }

  /** It was sent before, and comes later. */
  @Test
  void aCallWaitsForOneThatIsOnItsWay() throws InterruptedException {
    call(mine, POSTED, FakeLibrary.POST, ME, 4, EVERYTHING);
    call(others, ANSWER, FakeLibrary.ECHO, OTHER, 5, 0);
    assertEquals(0, others.result(), "a call waits that is in no order");
    assertTrue(library.noted.isEmpty());
    call(first, POSTED, FakeLibrary.POST, 3, 3, 0);
    awaitNoted(3L, 4L);
  }

  @Test
  void aFenceIsPassedOnceNoNumberUpToItIsMissing() throws InterruptedException {
    call(mine, POSTED, FakeLibrary.POST, ME, 6, 4);
    call(first, POSTED, FakeLibrary.POST, 3, 3, 0);
    awaitNoted(3L);
    call(others, POSTED, FakeLibrary.POST, OTHER, 4, 0);
    awaitNoted(3L, 4L, 6L);
  }

  @Test
  void aCallWaitsUntilOneThatHasComeIsIssued() throws InterruptedException {
    call(others, POSTED, FakeLibrary.STALL_POST, OTHER, 3, 0);
    call(mine, POSTED, FakeLibrary.POST, ME, 4, EVERYTHING);
    call(first, ANSWER, FakeLibrary.ECHO, 3, 5, 0);
    assertEquals(0, first.result());
    assertTrue(library.noted.isEmpty());
    library.permits.release();
    awaitNoted(3L, 4L);
  }

  /** Its calls may be on their way, and calls of the next thread with its number wait. */
  @Test
  void aThreadEndsBehindItsCalls() throws InterruptedException {
    first.send(Frame.KIND_THREAD_END, 0, 0, 0, ME, 4, 3, 0);
    call(others, POSTED, FakeLibrary.POST, ME, 5, 4);
    call(first, ANSWER, FakeLibrary.ECHO, 3, 6, 0);
    assertEquals(0, first.result());
    assertTrue(library.endedThreads.isEmpty());
    call(mine, POSTED, FakeLibrary.POST, ME, 3, 0);
    awaitNoted(3L, 5L);
    assertEquals(List.of(ME), library.endedThreads);
  }

  /** The free that makes room is on its way. */
  @Test
  void aNarrowCallThatIsOutOfMemoryIsIssuedOnceMoreBehindEverything() throws InterruptedException {
    call(mine, ANSWER, FakeLibrary.SCARCE, ME, 4, 0);
    Patience.until("it was short", () -> library.shortages.get() == 1);
    assertFalse(mine.answered());
    call(others, POSTED, FakeLibrary.POST, OTHER, 3, 0);
    library.permits.release();
    assertEquals(0, mine.result());
    assertEquals(1, library.shortages.get());
  }

  @Test
  void whatIsOnItsWayIsIssuedBeforeTheGoodbye() throws InterruptedException {
    first.send(Frame.KIND_PONG, 0, 0, 0, 0, 0, 0);
    call(others, POSTED, FakeLibrary.STALL_POST, OTHER, 3, 0);
    first.send(Frame.KIND_GOODBYE, 0, 0, 0, 0, 4, 0);
    library.permits.release();
    assertEquals("the client said goodbye", session.await().cause());
    assertEquals(List.of(3L), library.noted);
  }

  @Test
  void aConnectionIsOpenedOnceAndNoneBeyondTheLast() throws InterruptedException {
    assertEquals(1, asked(3, 0));
    assertEquals(0, asked(4, Limits.THREAD_CONNECTIONS - 1));
    assertEquals(0, asked(5, Limits.THREAD_CONNECTIONS - 1));
    assertEquals(1, asked(6, Limits.THREAD_CONNECTIONS));
    assertEquals(1, asked(7, -1));
    FakeRing uncalled = FakeRing.connection();
    session.connect(2, uncalled);
    call(uncalled, ANSWER, FakeLibrary.ECHO, ME, 8, 0);
    call(mine, ANSWER, FakeLibrary.ECHO, ME, 8, 0);
    assertEquals(0, mine.result());
    assertFalse(uncalled.answered());
  }

  /** The answer says how many frames of text have gone over the first connection. */
  @Test
  void anAnswerTellsOfTheTextBeforeIt() throws InterruptedException {
    session.context().message("one");
    session.context().message("two");
    call(mine, ANSWER, FakeLibrary.ECHO, ME, 3, 0);
    assertEquals(2, mine.lane());
  }
}
