// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What of a ring is issued, as the readers of the others see it. */
class RingsTest {
  private long arrived;
  private long queued = Long.MAX_VALUE;
  private final Rings.Progress progress = new Rings.Progress(() -> arrived, () -> queued);

  @Test
  void anEmptyRingKeepsNobodyWaiting() {
    assertTrue(progress.issued(7, progress.arrived()));
  }

  @Test
  void whatHasArrivedIsWaitedForUntilItHasBeenRead() {
    arrived = 100;
    long then = progress.arrived();
    assertFalse(progress.issued(7, then));
    arrived = 200;
    progress.past(100);
    assertTrue(progress.issued(7, then), "it waits for what came later");
  }

  @Test
  void aLaterCallIsNotWaitedFor() {
    arrived = 100;
    progress.at(7);
    assertFalse(progress.issued(7, 100));
    progress.at(8);
    assertTrue(progress.issued(7, 100));
  }

  @Test
  void aPostedCallThatWasReadAndQueuedIsWaitedFor() {
    arrived = 100;
    progress.past(100);
    queued = 7;
    assertFalse(progress.issued(7, 100));
    queued = 8;
    assertTrue(progress.issued(7, 100));
  }
}
