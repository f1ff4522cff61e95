// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long a thread looks before it sleeps, beside others. */
class IdleStrategyTest {
  private final Lookers lookers = new Lookers(() -> 1);
  private long looks;

  private IdleStrategy among(Lookers all, long least, boolean comes) {
    return IdleStrategy.among(
        all,
        () -> {
          looks++;
          return comes;
        },
        least);
  }

  @Test
  void oneLooksAndLeavesItsPlaceToTheNext() {
    assertTrue(among(lookers, 0, true).pays());
    assertTrue(among(lookers, 0, true).pays());
  }

  @Test
  void oneThatFindsNothingLeavesItsPlaceToo() {
    assertFalse(among(lookers, 0, false).pays());
    assertTrue(lookers.join());
  }

  @Test
  void whereEnoughLookAnotherSleepsAtOnce() {
    assertTrue(lookers.join());
    assertFalse(among(lookers, 0, true).pays());
    assertEquals(0, looks);
  }

  /** As long as waking takes: sleeping would take more from the machine. */
  @Test
  void orLooksForAMoment() {
    assertTrue(lookers.join());
    assertTrue(among(lookers, 1, true).pays());
  }

  @Test
  void programsShareTheProcessors() {
    assertEquals(4, Lookers.readers(16, 1));
    assertEquals(1, Lookers.readers(2, 1), "a short look takes a place, too");
    assertEquals(1, Lookers.readers(16, 2));
    assertEquals(0, Lookers.readers(16, 3));
    assertEquals(5, Lookers.readers(128, 4));
  }

  /** A look without time for it says nothing about longer ones: the next is made at once. */
  @Test
  void aLookThatWasCutOffIsForgotten() {
    assertTrue(lookers.join());
    IdleStrategy strategy = among(lookers, 1, false);
    for (int i = 0; i < 60; i++) {
      assertFalse(strategy.pays());
    }
    lookers.leave();
    looks = 0;
    assertFalse(strategy.pays());
    assertTrue(looks > 0);
  }
}
