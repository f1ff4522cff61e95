// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;

/**
 * How far a program runs ahead of streams that are held. A driver whose queue is full keeps the
 * thread of a call, and what would let the stream go waits behind it: so threads wait here sooner.
 */
final class RunAhead {
  /** Calls that a host gets while some of its streams are held; half of a driver's queue. */
  static final int MOST = 512;

  private static final long LOOK_MS = 100;

  private final IntPredicate lost;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Of each host, guarded by the lock.
  private final int[] held;
  private final int[] calls;
  private volatile int all;

  /** {@code lost} says whether a host is: nothing lets its streams go. */
  RunAhead(int hosts, IntPredicate lost) {
    this.lost = lost;
    this.held = new int[hosts];
    this.calls = new int[hosts];
  }

  /** A thread of the program is about to call a host. */
  void call(int host) {
    if (all > 0) {
      lock.lock();
      try {
        if (held[host] > 0) {
          awaitNone(host, MOST);
          calls[host]++;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until no stream of a host is held. */
  void settle(int host) {
    if (all > 0) {
      lock.lock();
      try {
        awaitNone(host, 0);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Unless there were fewer calls. */
  private void awaitNone(int host, int least) {
    boolean interrupted = false;
    while (held[host] > 0 && calls[host] >= least && !lost.test(host)) {
      try {
        boolean unused = changed.await(LOOK_MS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A stream of a host is about to be held, by two calls. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the lock.
  void hold(int host) {
    lock.lock();
    try {
      awaitNone(host, MOST);
      calls[host] += held[host] > 0 ? 2 : 0;
      held[host]++;
      all++;
    } finally {
      lock.unlock();
    }
  }

  /** A stream of a host has been let go. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the lock.
  void letGo(int host) {
    lock.lock();
    try {
      all--;
      if (--held[host] == 0) {
        calls[host] = 0;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }
}
