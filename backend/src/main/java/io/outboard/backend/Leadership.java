// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who reads the connection. Of a session's threads one leads: it reads a frame and runs it itself,
 * because handing it to another thread would cost more than most calls. Before a call that may wait
 * it passes the lead on, so that the other threads of the program go on.
 */
final class Leadership {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition free = lock.newCondition();
  private final Runnable newFollower;
  private boolean led;
  private boolean closed;
  private int followers;

  /** {@code newFollower} starts a thread that will call {@link #take}. */
  Leadership(Runnable newFollower) {
    this.newFollower = newFollower;
  }

  /** Waits for the lead; false if the session has ended. */
  boolean take() {
    lock.lock();
    try {
      followers++;
      while (led && !closed) {
        free.awaitUninterruptibly();
      }
      followers--;
      led = true;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Passes the lead on. */
  void give() {
    boolean nobody;
    lock.lock();
    try {
      led = false;
      nobody = followers == 0 && !closed;
      free.signal();
    } finally {
      lock.unlock();
    }
    if (nobody) {
      newFollower.run();
    }
  }

  /** Ends the session: nobody leads any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      free.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
