// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gate between a session's calls and its devices. While it is closed calls wait outside, and
 * the first of them knocks. Open, it costs a call two additions.
 *
 * <p>It has several wings, each with words of its own: calls of different threads of the client do
 * not take a line of the processor's caches from each other.
 */
public final class CallGate {
  /** In the lower half: it is closed; the rest of that half counts the calls inside. */
  private static final int CLOSED = 1 << 30;

  /** In the upper half: calls that have come in. */
  private static final long ENTRY = (1L << 32) + 1;

  private static final int WINGS = 16;

  /** Words from one wing to the next, and before the first: two lines of a cache. */
  private static final int APART = 16;

  // One word a wing.
  private final AtomicLongArray state = new AtomicLongArray((WINGS + 2) * APART);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Both are guarded by the lock.
  private Runnable knock = () -> {};
  private boolean knocked;
  private int waiting;

  /** A call of a thread of the client goes in; waits while it is closed. */
  void enter(int thread) {
    int wing = wing(thread % WINGS);
    if ((int) state.getAndAdd(wing, ENTRY) >= CLOSED) {
      leave(thread);
      enterWhenOpen(wing);
    }
  }

  /** A call of such a thread comes out. */
  void leave(int thread) {
    if ((int) state.getAndAdd(wing(thread % WINGS), -1) == CLOSED + 1) {
      lastHasLeft();
    }
  }

  private static int wing(int number) {
    return (number + 1) * APART;
  }

  private void lastHasLeft() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void enterWhenOpen(int wing) {
    lock.lock();
    try {
      if (!knocked) {
        knocked = true;
        knock.run();
      }
      waiting++;
      while ((int) state.get(wing) >= CLOSED) {
        changed.awaitUninterruptibly();
      }
      waiting--;
      long unused = state.getAndAdd(wing, ENTRY);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes it and waits until no call is inside; if that takes too long it is open again.
   *
   * @param whenWanted is run once, by the first call that waits
   * @return whether it is closed
   */
  public boolean close(long milliseconds, Runnable whenWanted) throws InterruptedException {
    lock.lock();
    try {
      knock = whenWanted;
      knocked = false;
      for (int i = 0; i < WINGS; i++) {
        long unused = state.getAndUpdate(wing(i), now -> now | CLOSED);
      }
      long left = TimeUnit.MILLISECONDS.toNanos(milliseconds);
      while (isUsed() && left > 0) {
        left = changed.awaitNanos(left);
      }
      boolean quiet = !isUsed();
      if (!quiet) {
        open();
      }
      return quiet;
    } finally {
      lock.unlock();
    }
  }

  /** Has somebody else told, once, of calls that wait; at once if there are such. */
  public void onWanted(Runnable whenWanted) {
    lock.lock();
    try {
      knock = whenWanted;
      knocked = waiting > 0;
      if (knocked) {
        knock.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Opens it: those who wait go in. */
  public void open() {
    lock.lock();
    try {
      for (int i = 0; i < WINGS; i++) {
        long unused = state.getAndUpdate(wing(i), now -> now & ~(long) CLOSED);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether calls are inside. */
  public boolean isUsed() {
    int inside = 0;
    for (int i = 0; i < WINGS; i++) {
      inside |= (int) state.get(wing(i)) & (CLOSED - 1);
    }
    return inside != 0;
  }

  /** A number that changes with each call. */
  public long entries() {
    long all = 0;
    for (int i = 0; i < WINGS; i++) {
      all += state.get(wing(i)) >>> 32;
    }
    return all;
  }
}
