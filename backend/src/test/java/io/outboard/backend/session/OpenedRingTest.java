// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.FakeLibrary;
import io.outboard.backend.FakeService;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.system.SharedPage;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session whose first further ring is being opened, while frames of the first one come. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OpenedRingTest {
  private static final int ME = 1;
  private static final int OTHER = 2;

  private final FakeLibrary library = new FakeLibrary();
  private final FakeRing mine = new FakeRing();
  private final FakeRing first = new FakeRing(mine);
  private WorkerSession session;
  private SharedPage page;

  @BeforeEach
  void open() throws IOException {
    page = SharedPage.create();
    session = new WorkerSession(new Connection(first, page), 5, "software", page);
    session.serve(WorkerLibraries.of(FakeService.NAME, FakeLibrary.NUMBER, library));
  }

  @AfterEach
  void close() throws InterruptedException {
    first.release();
    session.end("the test is over", true);
    session.free();
    page.close();
  }

  private static void call(FakeRing ring, int flags, int call, int thread, long sequence) {
    ring.send(
        Frame.KIND_CALL,
        flags,
        call,
        FakeLibrary.NUMBER,
        thread,
        sequence,
        Long.MAX_VALUE,
        sequence);
  }

  /**
   * The opening takes so long that another thread reads the first ring on, and sleeps there. A call
   * of the new ring waits for what that thread has read, and for no more.
   */
  @Test
  void aCallThereIsAnsweredWhoeverReadsTheFirstRingMeanwhile() throws InterruptedException {
    first.hold();
    first.send(Frame.KIND_RING, 0, 0, 0, ME, 1, 0, 0);
    call(first, 0, FakeLibrary.POST, OTHER, 2);
    Patience.until("another thread reads on", () -> library.noted.equals(List.of(2L)));
    Patience.until("that one sleeps", first::awaited);
    first.release();
    assertEquals(0, first.result());
    call(mine, Frame.FLAG_ANSWER, FakeLibrary.ECHO, ME, 3);
    Patience.until("the call of the new ring is answered", mine::answered);
    assertEquals(0, mine.result());
  }
}
