// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Of the threads that wait for a reply one leads: it reads frames for all until its own reply has
 * come, so that no other thread hands that over. The watcher reads what comes while nobody leads,
 * and the replies of virtual threads, which would hold their carriers while they read.
 */
final class Lead implements Runnable {
  /** The watcher looks on so long after somebody has led: a program calls again soon. */
  private static final long REST_NS = 2_000_000;

  private final Link link;
  private final ReentrantLock lead = new ReentrantLock();
  private final Queue<ThreadRequest> followers = new ConcurrentLinkedQueue<>();
  // Threads that wait and do not read: virtual ones, and a writer without room.
  private final AtomicInteger others = new AtomicInteger();
  private final Thread watcher =
      Thread.ofPlatform().daemon().name("outboard-reader").unstarted(this);
  private FrameReader frames;
  private BooleanSupplier expected;
  private BooleanSupplier awaited;
  private volatile int times;
  // The watcher's.
  private int seen;

  Lead(Link link) {
    this.link = link;
  }

  /**
   * From here on frames are read.
   *
   * @param expected whether the backend may ask for something that no thread waits for
   * @param awaited whether any thread waits for the backend
   */
  void start(FrameReader reader, BooleanSupplier expected, BooleanSupplier awaited) {
    frames = reader;
    this.expected = expected;
    this.awaited = awaited;
    watcher.start();
  }

  /** Waits until the reply to a thread's call has come, or the connection is lost. */
  void await(ThreadRequest request) {
    boolean interrupted = false;
    if (Thread.currentThread().isVirtual()) {
      read(1);
      while (isUnanswered(request)) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      read(-1);
    } else {
      while (isUnanswered(request)) {
        leadOrFollow(request);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isUnanswered(ThreadRequest request) {
    return request.waits() && !link.isLost();
  }

  private void leadOrFollow(ThreadRequest request) {
    if (lead.tryLock()) {
      lead(request);
    } else {
      follow(request);
    }
  }

  /** So many threads more wait for what somebody else is to read. */
  void read(int more) {
    if (others.addAndGet(more) == 1 && more > 0) {
      LockSupport.unpark(watcher);
    }
  }

  // The holder of the lock is the only one that counts.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void lead(ThreadRequest request) {
    try {
      times++;
      while (request.waits() && frames.take()) {}
    } finally {
      pass();
    }
  }

  private void pass() {
    lead.unlock();
    wakeNext();
  }

  /** A thread that still waits leads next; without one, the watcher, if it is wanted. */
  private void wakeNext() {
    ThreadRequest next = followers.poll();
    while (next != null && !next.leavesQueue()) {
      next = followers.poll();
    }
    if (next != null) {
      next.wake();
    } else if (isWanted()) {
      LockSupport.unpark(watcher);
    }
  }

  private void follow(ThreadRequest request) {
    if (request.entersQueue()) {
      followers.add(request);
    }
    if (isUnanswered(request) && lead.isLocked()) {
      LockSupport.park(this);
    }
    // It may have been woken to lead, and answered meanwhile.
    if (!request.waits() && !lead.isLocked()) {
      wakeNext();
    }
  }

  private boolean isWanted() {
    return others.get() > 0 || expected.getAsBoolean();
  }

  @Override
  public void run() {
    try {
      while (!link.isLost()) {
        if (lead.isLocked() || (ledLately() && !isWanted())) {
          LockSupport.parkNanos(this, REST_NS);
        } else {
          watch();
        }
      }
    } finally {
      link.lose("the reader of replies failed");
    }
  }

  private boolean ledLately() {
    boolean lately = seen != times;
    seen = times;
    return lately;
  }

  /** Watches without leading, so that a thread that makes a call meanwhile reads its own reply. */
  private void watch() {
    link.awaitBytes(() -> !lead.isLocked() && awaited.getAsBoolean());
    if (lead.tryLock()) {
      try {
        while (link.hasBytes() && frames.take()) {}
      } finally {
        pass();
      }
    }
  }

  /** Waits until nobody reads from a lost connection any more. */
  void awaitEnd() {
    boolean interrupted = false;
    LockSupport.unpark(watcher);
    while (watcher.isAlive()) {
      try {
        watcher.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    awaitLeader();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until no thread reads; once the connection is lost, none will. */
  @SuppressWarnings("LockNotBeforeTry")
  void awaitLeader() {
    lead.lock();
    lead.unlock();
  }
}
