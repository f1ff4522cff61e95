// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Waits for what comes about by itself. */
final class Wait {
  private static final long LOOK_MS = 5;

  private Wait() {}

  /** Looks again and again; an assertion's error if it does not come about in time. */
  static void until(String what, long milliseconds, Callable<Boolean> condition) throws Exception {
    until(() -> what, milliseconds, condition);
  }

  /** The same, with words that are only found once it has failed. */
  static void until(Supplier<String> what, long milliseconds, Callable<Boolean> condition)
      throws Exception {
    long end = System.nanoTime() + milliseconds * 1_000_000;
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + milliseconds + " ms: " + what.get());
      }
      Thread.sleep(LOOK_MS);
    }
  }
}
