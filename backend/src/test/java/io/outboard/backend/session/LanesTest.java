// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.Pause;
import io.outboard.patience.Patience;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order of a lane's calls where its reader and its own thread meet. */
class LanesTest {
  private final Lanes lanes = new Lanes(lane -> {});
  private final Lane lane = lanes.of(1);
  private final List<CallFrame> calls = new ArrayList<>();

  @AfterEach
  void free() {
    calls.forEach(CallFrame::free);
  }

  private CallFrame call() {
    CallFrame call = new CallFrame(null, null, null);
    call.lane = 1;
    call.answering = Dispatcher.ASYNC;
    calls.add(call);
    return call;
  }

  /** The reader has been late with a call, and its thread has the lane. */
  private CallFrame late() {
    CallFrame call = call();
    assertTrue(lanes.direct(lane, call));
    assertTrue(lanes.hold(() -> true, lane, call));
    return call;
  }

  @Test
  void otherRingsSeeThePostedCallsThatAreNotIssued() {
    assertEquals(Long.MAX_VALUE, lanes.firstPosted());
    CallFrame late = call();
    late.sequence = 5;
    assertTrue(lanes.hold(() -> true, lane, late));
    CallFrame next = call();
    next.sequence = 6;
    assertFalse(lanes.queue(lane, next));
    assertEquals(5, lanes.firstPosted());
    lanes.issued(lane, late);
    assertEquals(6, lanes.firstPosted());
    assertSame(next, lanes.next(lane));
    assertEquals(6, lanes.firstPosted());
    lanes.issued(lane, next);
    assertNull(lanes.next(lane));
    assertEquals(Long.MAX_VALUE, lanes.firstPosted());
  }

  @Test
  void aLaneIsItsThreadsUntilThatHasLookedForMore() {
    lanes.issued(lane, late());
    CallFrame next = call();
    assertFalse(lanes.direct(lane, next), "it would run beside one that is queued after it");
    assertFalse(lanes.queue(lane, next));
    assertSame(next, lanes.next(lane));
    lanes.issued(lane, next);
    assertNull(lanes.next(lane));
    assertTrue(lanes.direct(lane, call()));
  }

  @Test
  void aLaneIsFreeOnceItsLastCallWaitsAside() {
    lanes.issued(lane, late());
    assertFalse(lanes.direct(lane, call()));
    assertFalse(lanes.leave(lane));
    assertTrue(lanes.direct(lane, call()));
  }

  @Test
  void aLaneWithMoreIsPassedOn() {
    CallFrame late = late();
    CallFrame next = call();
    assertFalse(lanes.queue(lane, next));
    lanes.issued(lane, late);
    assertTrue(lanes.leave(lane));
    assertFalse(lanes.direct(lane, call()));
    assertSame(next, lanes.next(lane));
  }

  /** A reader that gets calls without end for the lanes of these numbers, in turn. */
  private final class Reader {
    private final AtomicInteger queued = new AtomicInteger();
    private final Thread thread;
    private volatile boolean over;

    Reader(int count) {
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; !over; i++) {
                      boolean unused = lanes.queue(lanes.of(1 + i % count), call());
                      queued.incrementAndGet();
                    }
                  });
    }

    /** Waits until it waits for room. */
    int whenFull() {
      while (!lanes.full()) {
        Thread.onSpinWait();
      }
      return queued.get();
    }

    void end() throws InterruptedException {
      over = true;
      lanes.close();
      thread.join();
    }
  }

  @Test
  void aLaneThatIsFullKeepsItsReader() throws InterruptedException {
    Reader reader = new Reader(1);
    assertEquals(Lanes.MOST_CALLS, reader.whenFull());
    for (int i = 0; i < 10; i++) {
      lanes.issued(lane, lanes.next(lane));
    }
    while (reader.queued.get() < Lanes.MOST_CALLS + 10) {
      Thread.onSpinWait();
    }
    assertEquals(Lanes.MOST_CALLS + 10, reader.whenFull());
    reader.end();
  }

  @Test
  void allLanesTogetherAreBounded() throws InterruptedException {
    Reader reader = new Reader(Limits.LANES - 1);
    assertEquals(Lanes.MOST_QUEUED, reader.whenFull());
    reader.end();
  }

  @Test
  void whoWaitsForAllCallsSeesThemIssued() throws InterruptedException {
    lanes.issued(lane, late());
    CallFrame next = call();
    assertFalse(lanes.queue(lane, next));
    lanes.awaitIssued(1);
    assertFalse(lanes.direct(lane, call()), "time was up");
    Thread draining =
        Thread.ofPlatform()
            .start(
                () -> {
                  Pause.ms(50);
                  lanes.issued(lane, lanes.next(lane));
                  assertNull(lanes.next(lane));
                });
    lanes.awaitIssued(Patience.LIMIT.toNanos());
    assertTrue(lanes.direct(lane, call()));
    draining.join();
  }
}
