// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what happens soon. */
final class Patience {
  private static final int LOOK_MS = 20;

  private Patience() {}

  /** Waits until it is so; fails with the message if it is not by then. */
  static void until(Duration limit, BooleanSupplier so, Supplier<String> message)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(message.get());
      }
      Thread.sleep(LOOK_MS);
    }
  }
}
