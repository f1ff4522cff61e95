// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.FakeLibrary;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames of several rings that wait for each other, and come to an end. */
class SeveralRingsTest extends SeveralCase {
  private final FakeRing mine = new FakeRing();
  private final FakeRing others = new FakeRing();
  private final FakeRing first = new FakeRing(mine, others);

  @BeforeEach
  void open() throws IOException, InterruptedException {
    serve(first);
    for (int ring = 0; ring < 2; ring++) {
      first.send(Frame.KIND_RING, 0, 0, 0, 3, 1 + ring, 0, ring);
      assertEquals(0, first.result());
    }
  }

  private void end(int thread, long sequence, long lastCall) {
    first.send(Frame.KIND_THREAD_END, 0, 0, 0, thread, sequence, lastCall, 0);
  }

  /** Its calls are not issued yet, and calls of the next one with its number wait. */
  @Test
  void aThreadEndsBehindItsCalls() throws InterruptedException {
    call(mine, POSTED, FakeLibrary.STALL_POST, ME, 3, 0);
    end(ME, 4, 3);
    call(first, POSTED, FakeLibrary.POST, ME, 5, 0);
    call(others, ANSWER, FakeLibrary.ECHO, OTHER, 6, 0);
    assertEquals(0, others.result(), "a call waits that has nothing to do with the thread");
    assertTrue(library.endedThreads.isEmpty());
    assertTrue(library.noted.isEmpty());
    library.permits.release();
    awaitNoted(3L, 5L);
    assertEquals(List.of(ME), library.endedThreads);
  }

  /** What has come behind the end of a thread keeps no call waiting that the thread made before. */
  @Test
  void theCallsOfAThreadDoNotWaitForItsEnd() throws InterruptedException {
    call(others, POSTED, FakeLibrary.STALL_POST, OTHER, 3, 0);
    call(mine, POSTED, FakeLibrary.POST, ME, 4, EVERYTHING);
    end(ME, 5, 4);
    call(first, POSTED, FakeLibrary.POST, 3, 6, EVERYTHING);
    library.permits.release();
    awaitNoted(3L, 4L, 6L);
    assertEquals(List.of(ME), library.endedThreads);
  }

  @Test
  void twoThreadsOfOneNumberEndOneAfterTheOther() throws InterruptedException {
    call(mine, POSTED, FakeLibrary.STALL_POST, ME, 3, 0);
    end(ME, 4, 3);
    call(first, POSTED, FakeLibrary.POST, ME, 5, 0);
    end(ME, 6, 0);
    call(first, POSTED, FakeLibrary.POST, ME, 7, 0);
    call(first, POSTED, FakeLibrary.POST, OTHER, 8, 0);
    Patience.until("all is read", () -> !first.ready());
    assertFalse(session.isOver());
    assertFalse(library.noted.contains(7L), library.noted.toString());
    assertTrue(library.endedThreads.isEmpty());
    library.permits.release();
    Patience.until("both have ended", () -> library.endedThreads.equals(List.of(ME, ME)));
    Patience.until("all is issued", () -> library.noted.size() == 4);
    assertTrue(library.noted.indexOf(5L) < library.noted.indexOf(7L), library.noted.toString());
  }

  /** Memory that is on its way back: a free that was sent before it is not issued yet. */
  @Test
  void aNarrowCallThatIsOutOfMemoryIsIssuedOnceMoreBehindEverything() throws InterruptedException {
    call(others, POSTED, FakeLibrary.STALL_POST, OTHER, 3, 0);
    call(mine, ANSWER, FakeLibrary.SCARCE, ME, 4, 0);
    Patience.until("it was short", () -> library.shortages.get() == 1);
    library.permits.release();
    assertEquals(0, mine.result());
    awaitNoted(3L);
    assertEquals(1, library.shortages.get());
  }

  @Test
  void aCallBehindEverythingIsNotIssuedTwice() throws InterruptedException {
    call(mine, ANSWER, FakeLibrary.SCARCE, ME, 3, EVERYTHING);
    assertEquals(FakeLibrary.OUT_OF_MEMORY, mine.result());
    assertEquals(1, library.shortages.get());
  }
}
