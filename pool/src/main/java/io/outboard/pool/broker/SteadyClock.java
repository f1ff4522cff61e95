// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The host's clock, as long as it goes on: time that it jumps over has not passed, and nobody is to
 * pay for it. After a jump this one goes on from where it was, until somebody who has told the
 * leases has it {@link #follow}. Small steps, as a time service makes, are followed at once. Time
 * in which the host is suspended is a jump too.
 */
public final class SteadyClock implements InstantSource {
  private static final Duration SMALL = Duration.ofMinutes(1);

  private final InstantSource host;
  private final LongSupplier nanoseconds;
  // Guarded by this object's monitor: a moment, and when it was, in nanoseconds of this machine.
  private Instant known;
  private long when;

  /** That of this host. */
  public SteadyClock() {
    this(InstantSource.system(), System::nanoTime);
  }

  /**
   * That of another host.
   *
   * @param nanoseconds since any moment; they go on evenly
   */
  public SteadyClock(InstantSource host, LongSupplier nanoseconds) {
    this.host = host;
    this.nanoseconds = nanoseconds;
    follow();
  }

  @Override
  public synchronized Instant instant() {
    if (jump().isZero()) {
      follow();
    }
    return steady();
  }

  private Instant steady() {
    return known.plusNanos(nanoseconds.getAsLong() - when);
  }

  /** How far the host's clock has jumped since it was followed last; zero where it has not. */
  public synchronized Duration jump() {
    Duration away = Duration.between(steady(), host.instant());
    return away.abs().compareTo(SMALL) > 0 ? away : Duration.ZERO;
  }

  /** Goes on with the host's. */
  public synchronized void follow() {
    known = host.instant();
    when = nanoseconds.getAsLong();
  }
}
