// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LongCallWatchTest {
  private static final int REPORTS = 3;

  @Test
  void aCallThatDoesNotEndIsReportedUntilItEnds() throws InterruptedException {
    CountDownLatch reports = new CountDownLatch(REPORTS);
    LongCallWatch watch = new LongCallWatch(reports::countDown);
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
    try (LongCallWatch watch = new LongCallWatch(() -> {})) {
      long number = watch.begin();
      assertEquals(number, watch.now());
      assertTrue(watch.end(number));
      assertFalse(watch.end(number));
    }
  }

  @Test
  void nothingIsReportedBetweenCalls() {
    AtomicInteger reports = new AtomicInteger();
    try (LongCallWatch watch = new LongCallWatch(reports::incrementAndGet)) {
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
    try (LongCallWatch watch = new LongCallWatch(reports::incrementAndGet)) {
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
}
