// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.concurrent.TimeUnit;

/** Lets events through at most so fast; those that come faster wait. For one thread. */
public final class RateLimiter {
  private final long intervalNs;
  private final long burstNs;
  // When the events so far would have been over at the allowed pace.
  private long until = System.nanoTime();

  /** {@code perSecond} events a second, and as many at once after a quiet second. */
  public RateLimiter(int perSecond) {
    intervalNs = TimeUnit.SECONDS.toNanos(1) / perSecond;
    burstNs = TimeUnit.SECONDS.toNanos(1);
  }

  /** Waits for the next event's turn. */
  public void await() {
    long now = System.nanoTime();
    until = Math.max(until, now - burstNs) + intervalNs;
    if (until > now) {
      Pause.ms(TimeUnit.NANOSECONDS.toMillis(until - now) + 1);
    }
  }
}
