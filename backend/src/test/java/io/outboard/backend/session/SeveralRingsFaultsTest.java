// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.outboard.backend.FakeLibrary;
import io.outboard.backend.FakeService;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.system.SharedPage;
import io.outboard.testkit.Amount;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that breaks the rules of rings of threads harms its own session only, which ends. */
@Timeout(3600)
class SeveralRingsFaultsTest {
  private static final int MANY = 1 << 20;
  private static final int MOST_FRAMES = 40;
  private static final int CALLS_IN_TEN = 8;
  private static final int[] CALLS = {
    FakeLibrary.ECHO, FakeLibrary.POST, FakeLibrary.STALL_POST, FakeLibrary.SCARCE, -1
  };
  private static final int[] THREADS = {0, 1, 2, 3, -1, Limits.THREADS, Integer.MAX_VALUE};
  private static final long[] NUMBERS = {
    0, 1, 2, 1 << 10, -1, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE
  };

  private final Random random = new Random(20261128);

  @Test
  void framesMayBeAnything() throws Exception {
    for (int i = 0; i < Amount.of(300, 20_000); i++) {
      FakeRing mine = new FakeRing();
      FakeRing others = new FakeRing();
      breakOne(mine, others, new FakeRing(mine, others));
    }
  }

  @Test
  void theySoMayOverConnections() throws Exception {
    for (int i = 0; i < Amount.of(100, 5_000); i++) {
      breakOne(FakeRing.connection(), FakeRing.connection(), FakeRing.connection());
    }
  }

  private void breakOne(FakeRing mine, FakeRing others, FakeRing first)
      throws IOException, InterruptedException {
    List<FakeRing> rings = List.of(mine, others, first);
    FakeLibrary library = new FakeLibrary();
    library.permits.release(MANY);
    try (SharedPage page = SharedPage.create()) {
      WorkerSession session = new WorkerSession(new Connection(first, page), 5, "software", page);
      session.serve(WorkerLibraries.of(FakeService.NAME, FakeLibrary.NUMBER, library));
      for (int ring = 0; ring < 2; ring++) {
        first.send(Frame.KIND_RING, 0, 0, 0, 3, 1 + ring, 0, ring);
        assertEquals(0, first.result());
        if (first.further() == 0) {
          session.connect(ring, rings.get(ring));
        }
      }
      for (int i = random.nextInt(MOST_FRAMES); i > 0; i--) {
        send(rings.get(random.nextInt(rings.size())), 3 + i);
      }
      // It has gone, whatever it waits for.
      rings.forEach(FakeRing::shutdown);
      if (first.further() == 0) {
        // As the watch of its connection does: frames may wait for what was never sent.
        session.end("the client has gone", true);
      }
      String cause = session.await().cause();
      session.free();
      assertFalse(cause.startsWith("internal"), cause);
    }
  }

  private void send(FakeRing ring, long next) {
    int kind = random.nextInt(10) < CALLS_IN_TEN ? Frame.KIND_CALL : random.nextInt(20);
    ring.send(
        kind,
        random.nextInt(3) == 0 ? random.nextInt(64) : random.nextInt(2),
        CALLS[random.nextInt(CALLS.length)],
        FakeLibrary.NUMBER,
        THREADS[random.nextInt(random.nextBoolean() ? 3 : THREADS.length)],
        random.nextInt(3) == 0 ? number() : next,
        number(),
        number());
  }

  private long number() {
    return random.nextBoolean() ? random.nextInt(50) : NUMBERS[random.nextInt(NUMBERS.length)];
  }
}
