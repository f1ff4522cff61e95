// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.concurrent.TimeUnit;

/** A sleep of the calling thread. */
public final class Pause {
  private Pause() {}

  /** Sleeps for so many milliseconds, or until the thread is interrupted. */
  public static void ms(long milliseconds) {
    try {
      TimeUnit.MILLISECONDS.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
