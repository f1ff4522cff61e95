// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import java.util.concurrent.TimeUnit;

/**
 * Whether a client's other threads seem to be quiet while one waits. Then nobody is kept waiting by
 * a call that waits, and a hand-over of the lead would only cost: about ten microseconds, as much
 * as a short kernel, and the processor time of a second thread that looks for frames meanwhile.
 * They seem to be where one thread alone calls, and where nothing came in the last waits, as in a
 * program whose threads take turns. {@link LongCallWatch} corrects a wrong guess: at once where
 * other threads have called before and waits are long, else after milliseconds.
 */
final class SoleCaller {
  /** So many calls in a row by one thread, or so many quiet waits, let us think so. */
  private static final int ROW = 32;

  /** A wait that is not longer keeps nobody waiting for long. */
  private static final long SHORT_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final int FADES = 8;

  // The leader's.
  private boolean several;
  private int latest;
  private int row;
  private int made;

  private volatile int calls;
  private volatile int quiet;
  // The longest of the last waits, less for each one since; of whoever waits.
  private long longest;
  private volatile boolean lasts;

  /** For the leader: a thread has called. Returns how many calls there were. */
  int called(int thread) {
    row = thread == latest ? row + 1 : 0;
    several = several || (thread != latest && latest != 0);
    latest = thread;
    made++;
    calls = made;
    return made;
  }

  /** For the leader, about the thread that called last. */
  boolean alone() {
    return row >= ROW || quiet >= ROW;
  }

  /** For the leader: another thread may call during a wait, and that is going to last. */
  boolean mayBeMet() {
    return several && lasts;
  }

  /**
   * A wait is over, and its thread does not know that yet.
   *
   * @param before how many calls there were with the one that waited
   * @param pending whether something has come since that nobody has read
   * @param nanoseconds how long it took
   */
  void waited(int before, boolean pending, long nanoseconds) {
    longest = Math.max(nanoseconds, longest - longest / FADES);
    lasts = longest > SHORT_NS;
    quiet = pending || calls != before ? 0 : Math.min(quiet + 1, ROW);
  }
}
