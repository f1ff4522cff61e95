// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gate between a session's calls and its devices. While it is closed calls wait outside, and
 * the first of them knocks. Open, it costs a call two additions.
 */
public final class CallGate {
  /** In the lower half: it is closed; the rest of that half counts the calls inside. */
  private static final int CLOSED = 1 << 30;

  /** In the upper half: calls that have come in. */
  private static final long ENTRY = (1L << 32) + 1;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(CallGate.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile long state;
  // Both are guarded by the lock.
  private Runnable knock = () -> {};
  private boolean knocked;
  private int waiting;

  /** A call goes in; waits while it is closed. */
  void enter() {
    if ((int) (long) STATE.getAndAdd(this, ENTRY) >= CLOSED) {
      leave();
      enterWhenOpen();
    }
  }

  /** A call comes out. */
  void leave() {
    if ((int) (long) STATE.getAndAdd(this, -1L) == CLOSED + 1) {
      lastHasLeft();
    }
  }

  private void lastHasLeft() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void enterWhenOpen() {
    lock.lock();
    try {
      if (!knocked) {
        knocked = true;
        knock.run();
      }
      waiting++;
      while (isClosed()) {
        changed.awaitUninterruptibly();
      }
      waiting--;
      long unused = (long) STATE.getAndAdd(this, ENTRY);
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    return (int) state >= CLOSED;
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
      long unused = (long) STATE.getAndBitwiseOr(this, (long) CLOSED);
      long left = TimeUnit.MILLISECONDS.toNanos(milliseconds);
      while ((int) state != CLOSED && left > 0) {
        left = changed.awaitNanos(left);
      }
      boolean quiet = (int) state == CLOSED;
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
      long unused = (long) STATE.getAndBitwiseAnd(this, ~(long) CLOSED);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether calls are inside. */
  public boolean isUsed() {
    return ((int) state & (CLOSED - 1)) != 0;
  }

  /** A number that changes with each call. */
  public long entries() {
    return state >>> 32;
  }
}
