// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.communicator.stream.IdleStrategy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A session's threads: made on demand, parked between tasks, but for a moment in which they look
 * for the next one. Platform threads, because a driver keys state to the threads of the operating
 * system.
 */
final class SessionThreads {
  /** The usual stack of a program's thread: the vendor's compiler runs on it. */
  private static final long STACK_BYTES = 8 << 20;

  /**
   * Most threads. A client that makes more calls at a time waits; one that never reads its answers
   * waits for itself.
   */
  private static final int MOST = 4096;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Member> idle = new ArrayDeque<>();
  // The one that gets the next task, and so the only one that looks for it; null if none is idle.
  private volatile Member next;
  private int members;
  private volatile boolean closed;

  /** Runs a task on a thread of its own; waits only where there are too many. */
  void run(Runnable task) {
    Member member = take(task);
    if (member != null) {
      member.resume(task);
    }
  }

  private Member take(Runnable task) {
    lock.lock();
    try {
      while (idle.isEmpty() && members == MOST) {
        changed.awaitUninterruptibly();
      }
      if (idle.isEmpty()) {
        new Member(task).start(members++);
        return null;
      }
      Member taken = idle.removeLast();
      next = idle.peekLast();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void rest(Member member) {
    lock.lock();
    try {
      idle.addLast(member);
      next = member;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the threads end that have nothing to do, now or later. */
  void close() {
    lock.lock();
    try {
      closed = true;
      idle.forEach(Member::wake);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all threads have ended. */
  void await() {
    lock.lock();
    try {
      while (members > 0) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void left() {
    lock.lock();
    try {
      members--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** One thread. */
  private final class Member implements Runnable {
    private final IdleStrategy patience = IdleStrategy.withThread(this::looksNoMore);
    private volatile Runnable task;
    private volatile Thread thread;

    Member(Runnable first) {
      task = first;
    }

    void start(int number) {
      thread =
          Thread.ofPlatform()
              .name("session-" + number)
              .daemon(true)
              .stackSize(STACK_BYTES)
              .unstarted(this);
      thread.start();
    }

    void resume(Runnable next) {
      task = next;
      wake();
    }

    void wake() {
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      for (Runnable now = task; now != null; now = await()) {
        task = null;
        now.run();
        rest(this);
      }
      left();
    }

    private boolean isWanted() {
      return task != null || closed;
    }

    private boolean looksNoMore() {
      return isWanted() || next != this;
    }

    private Runnable await() {
      while (!isWanted()) {
        if (next != this || !patience.pays()) {
          LockSupport.park(this);
        }
      }
      return task;
    }
  }
}
