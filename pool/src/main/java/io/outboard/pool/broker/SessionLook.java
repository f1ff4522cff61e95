// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.supervision.SessionCalls;
import io.outboard.backend.suspend.SuspensionException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The functions that the program of a session calls, and since when it calls none. */
final class SessionLook {
  /** A worker is asked so often at most; nodes report each five seconds. */
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(4);

  /** A request about sessions waits so long at most for what workers say: later they are told. */
  private static final long PATIENCE_MS = 250;

  // All of these are guarded by this object's monitor.
  private SessionCalls last = SessionCalls.UNKNOWN;
  private long next = System.nanoTime();
  private long calls;
  private long calledAt = next;
  private boolean asking;
  private boolean mute;

  /** Looks at sessions, each on a thread of its own. */
  static void at(Collection<LeaseSession> sessions) {
    CountDownLatch left = new CountDownLatch(sessions.size());
    for (LeaseSession session : sessions) {
      Thread.ofVirtual()
          .name("look at a session")
          .start(
              () -> {
                try {
                  session.look();
                } finally {
                  left.countDown();
                }
              });
    }
    try {
      boolean unused = left.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks a session's worker; one that has not answered once is asked no more. */
  void at(ServedSession session) {
    if (begins()) {
      SessionCalls said = SessionCalls.UNKNOWN;
      boolean failed = false;
      try {
        said = session.calls();
      } catch (SuspensionException e) {
        failed = true;
      }
      ends(said, failed);
    }
  }

  private synchronized boolean begins() {
    boolean due = !mute && !asking && System.nanoTime() >= next;
    asking |= due;
    return due;
  }

  private synchronized void ends(SessionCalls said, boolean failed) {
    asking = false;
    mute = failed;
    last = said;
    next = System.nanoTime() + EVERY_NS;
  }

  /** Those that it called most, each with its count behind it; empty where that is not known. */
  synchronized String functions() {
    return last.functions();
  }

  /** For how long no call has come, as far as anybody has looked; zero while one is under way. */
  synchronized Duration idle(long now) {
    if (now != calls || last.underWay()) {
      calls = now;
      calledAt = System.nanoTime();
    }
    return Duration.ofNanos(System.nanoTime() - calledAt);
  }
}
