// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnTest {
  private static final int CALLS = 50;
  private static final int CALL_MS = 4;
  private static final int TRIES = 5;

  /**
   * How often late calls are looked at while there is something to read beside them, or nothing.
   */
  private static int looks(boolean something) {
    AtomicInteger looks = new AtomicInteger();
    Turn turn =
        new Turn(
            () -> {
              looks.incrementAndGet();
              return something;
            });
    turn.start();
    try {
      for (int i = 0; i < CALLS; i++) {
        long number = turn.begin();
        Worker.pause(CALL_MS);
        assertTrue(turn.end(number));
      }
    } finally {
      turn.close();
    }
    return looks.get();
  }

  @Test
  void stepsWithNothingToReadBesideThemAreHardlyLookedAt() {
    boolean fewer = false;
    // A machine that is busy makes long calls of short ones.
    for (int i = 0; i < TRIES && !fewer; i++) {
      fewer = 2 * looks(false) < looks(true);
    }
    assertTrue(fewer);
  }
}
