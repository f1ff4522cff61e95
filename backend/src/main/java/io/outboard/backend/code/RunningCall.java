// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.frame.OffloadFrame;

/** A call that a thread runs. Its session's monitor guards it. */
final class RunningCall {
  private static final long SECOND = 1_000_000_000;

  private final long number;
  private final Thread thread;
  private final int seconds;
  private long end;
  private boolean cancelled;

  /** Of this thread; it may take so many seconds. */
  RunningCall(long number, int seconds) {
    this.number = number;
    this.thread = Thread.currentThread();
    this.seconds = seconds;
    this.end = System.nanoTime() + seconds * SECOND;
  }

  /** Asks it to end; its thread has so many seconds for that. */
  void cancel(int grace) {
    if (!cancelled) {
      cancelled = true;
      end = System.nanoTime() + grace * SECOND;
      thread.interrupt();
    }
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Whether its time is over. */
  boolean isLate() {
    return System.nanoTime() - end > 0;
  }

  /** Why it had to end, for the log. */
  String text() {
    return cancelled
        ? "call %d does not end though it was told to".formatted(number)
        : "call %d takes more than %d seconds".formatted(number, seconds);
  }

  /** The reason of a call that has thrown what it does not declare. */
  int reason() {
    return cancelled ? OffloadFrame.CANCELLED : OffloadFrame.UNDECLARED;
  }
}
