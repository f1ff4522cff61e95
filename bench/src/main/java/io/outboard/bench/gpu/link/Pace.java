// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.link;

import java.util.concurrent.locks.LockSupport;

/** One direction of a link: how many bytes pass in a second, and how late they arrive. */
final class Pace {
  /** The kernel wakes a thread some tens of microseconds late. */
  private static final long SPIN_NANOS = 100_000;

  /** How far the link may be booked before who wants more has to wait. */
  private static final long AHEAD_NANOS = 5_000_000;

  private final double nanosPerByte;
  private final long delayNanos;
  private long free = System.nanoTime();

  /**
   * A direction.
   *
   * @param megabits a second; zero for no limit
   */
  Pace(double megabits, double delayMilliseconds) {
    nanosPerByte = megabits == 0 ? 0 : 8_000 / megabits;
    delayNanos = Math.round(delayMilliseconds * 1e6);
  }

  /** Books the link for some bytes that are there now; returns when the last of them arrives. */
  synchronized long book(int bytes) {
    free = Math.max(free, System.nanoTime()) + Math.round(bytes * nanosPerByte);
    return free + delayNanos;
  }

  /** Waits until the link is not booked far ahead. */
  void awaitRoom() {
    long booked;
    synchronized (this) {
      booked = free;
    }
    await(booked - AHEAD_NANOS);
  }

  /** Waits until {@code instant}, by the clock of {@link System#nanoTime}. */
  static void await(long instant) {
    long left = instant - System.nanoTime();
    while (left > 0) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
      left = instant - System.nanoTime();
    }
  }
}
