// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.Pause;
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
  void nothingIsReportedBetweenCalls() throws InterruptedException {
    AtomicInteger reports = new AtomicInteger();
    Turn turn = new Turn(reports::incrementAndGet);
    assertTrue(turn.end(turn.begin()));
    turn.start();
    Pause.ms(50);
    turn.close();
    turn.await();
    assertEquals(0, reports.get());
  }
}
