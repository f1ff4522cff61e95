// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LongCallWatchTest {
  private static final int REPORTS = 3;

  /** A stream beside whose reader nobody can wait. */
  private static final LongCallWatch.Arrivals NOBODY = () -> false;

  /** Arrivals, one after the other, for a watching thread that sleeps until each. */
  private static final class Ordered implements LongCallWatch.Arrivals {
    private final Semaphore asleep = new Semaphore(0);
    private final Semaphore come = new Semaphore(0);

    @Override
    public boolean attend() {
      asleep.release();
      come.acquireUninterruptibly();
      return true;
    }
  }

  @Test
  void aCallThatDoesNotEndIsReportedUntilItEnds() throws InterruptedException {
    CountDownLatch reports = new CountDownLatch(REPORTS);
    LongCallWatch watch = new LongCallWatch(reports::countDown, NOBODY);
    watch.start();
    try {
      long number = watch.begin();
      Patience.await(reports);
      assertTrue(watch.end(number));
    } finally {
      watch.close();
      watch.await();
    }
  }

  @Test
  void aCallThatWasTakenAwayDoesNotEndTwice() {
    try (LongCallWatch watch = new LongCallWatch(() -> {}, NOBODY)) {
      long number = watch.begin();
      assertEquals(number, watch.now());
      assertTrue(watch.end(number));
      assertFalse(watch.end(number));
    }
  }

  @Test
  void nothingIsReportedBetweenCalls() {
    AtomicInteger reports = new AtomicInteger();
    try (LongCallWatch watch = new LongCallWatch(reports::incrementAndGet, NOBODY)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(watch.end(watch.begin()));
        assertTrue(watch.look() > 0);
        assertTrue(watch.look() > 0);
      }
    }
    assertEquals(0, reports.get());
  }

  @Test
  void aCallIsReportedOnceItWasSeenBefore() {
    AtomicInteger reports = new AtomicInteger();
    try (LongCallWatch watch = new LongCallWatch(reports::incrementAndGet, NOBODY)) {
      long number = watch.begin();
      long soon = watch.look();
      assertEquals(0, reports.get(), "it has begun just now, perhaps");
      long unused = watch.look();
      assertEquals(1, reports.get());
      assertTrue(watch.end(number));
      assertTrue(soon < watch.look(), "what runs is looked at again sooner");
      assertTrue(watch.begin() > number);
      unused = watch.look();
      assertEquals(1, reports.get(), "another call");
    }
  }

  /** The watching thread sleeps for them meanwhile, and so no time that passes is the cause. */
  @Test
  void arrivalsAreReportedAtOnceWhileTheReaderWaits() throws InterruptedException {
    AtomicInteger reports = new AtomicInteger();
    Ordered arrivals = new Ordered();
    LongCallWatch watch = new LongCallWatch(reports::incrementAndGet, arrivals);
    watch.start();
    try {
      long number = watch.begin();
      watch.attend(number);
      arrivals.asleep.acquire();
      int before = reports.get();
      arrivals.come.release();
      Patience.until("it is reported", () -> reports.get() > before);
      assertTrue(watch.end(number));
    } finally {
      watch.close();
      arrivals.come.release(REPORTS);
      watch.await();
    }
  }

  /** It may sleep on from wait to wait; what has come is there until somebody reads it. */
  @Test
  void aWaitThatFindsTheThreadAsleepIsAttendedToo() throws InterruptedException {
    AtomicInteger reports = new AtomicInteger();
    Ordered arrivals = new Ordered();
    LongCallWatch watch = new LongCallWatch(reports::incrementAndGet, arrivals);
    watch.start();
    try {
      long first = watch.begin();
      watch.attend(first);
      arrivals.asleep.acquire();
      int before = reports.get();
      assertTrue(watch.end(first));
      long second = watch.begin();
      watch.attend(second);
      arrivals.come.release(2);
      Patience.until("it is reported", () -> reports.get() > before);
      assertTrue(watch.end(second));
    } finally {
      watch.close();
      arrivals.come.release(REPORTS);
      watch.await();
    }
  }
}
