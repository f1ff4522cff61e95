// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnTest {
  private static final int REPORTS = 3;
  private static final int LIMIT_SECONDS = 30;

  @Test
  void aCallThatDoesNotEndIsReportedUntilItEnds() throws InterruptedException {
    CountDownLatch reports = new CountDownLatch(REPORTS);
    Turn turn = new Turn(reports::countDown);
    turn.start();
    try {
      long number = turn.begin();
      assertTrue(reports.await(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertTrue(turn.end(number));
    } finally {
      turn.close();
      turn.await();
    }
  }

  @Test
  void aTurnThatWasTakenAwayDoesNotEndTwice() {
    try (Turn turn = new Turn(() -> {})) {
      long number = turn.begin();
      assertEquals(number, turn.now());
      assertTrue(turn.end(number));
      assertFalse(turn.end(number));
    }
  }

  @Test
  void nothingIsReportedBetweenCalls() {
    AtomicInteger reports = new AtomicInteger();
    try (Turn turn = new Turn(reports::incrementAndGet)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(turn.end(turn.begin()));
        assertTrue(turn.look() > 0);
        assertTrue(turn.look() > 0);
      }
    }
    assertEquals(0, reports.get());
  }

  @Test
  void aCallIsReportedOnceItWasSeenBefore() {
    AtomicInteger reports = new AtomicInteger();
    try (Turn turn = new Turn(reports::incrementAndGet)) {
      long number = turn.begin();
      long soon = turn.look();
      assertEquals(0, reports.get(), "it has begun just now, perhaps");
      long unused = turn.look();
      assertEquals(1, reports.get());
      assertTrue(turn.end(number));
      assertTrue(soon < turn.look(), "what runs is looked at again sooner");
      assertTrue(turn.begin() > number);
      unused = turn.look();
      assertEquals(1, reports.get(), "another call");
    }
  }
}
