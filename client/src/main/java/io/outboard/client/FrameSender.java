// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes what is posted, in a thread of its own, so that a post costs a copy and frames leave
 * together under load.
 */
final class FrameSender implements Runnable {
  /** A sender without work looks again so soon: a poster that wakes it makes a system call. */
  private static final long LINGER_NS = 40_000;

  /** After so many looks in vain it sleeps. */
  private static final int LINGER_ROUNDS = 4;

  private final Link link;
  private final FrameWriter writer;
  private final AtomicBoolean sleeps = new AtomicBoolean();
  private final Thread thread;

  FrameSender(Link link, FrameWriter writer) {
    this.link = link;
    this.writer = writer;
    thread = Thread.ofPlatform().daemon().name("outboard-sender").unstarted(this);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!link.isLost()) {
      writer.flush();
      linger();
      sleep();
    }
  }

  private void linger() {
    for (int round = 0; round < LINGER_ROUNDS && isIdle(); round++) {
      LockSupport.parkNanos(this, LINGER_NS);
    }
  }

  private void sleep() {
    sleeps.set(true);
    // In this order: the lock in isIdle may take the permit of a wake that comes meanwhile.
    while (isIdle() && sleeps.get()) {
      LockSupport.park(this);
    }
    sleeps.set(false);
  }

  private boolean isIdle() {
    return !link.isLost() && !writer.hasPosted();
  }

  /** Something was posted, or the connection is lost. */
  void wake() {
    if (sleeps.get() && sleeps.compareAndSet(true, false)) {
      LockSupport.unpark(thread);
    }
  }
}
