// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Dispatcher;
import io.outboard.wire.Limits;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The order of a session's calls.
 *
 * <p>The calls of one lane are issued in the order of their arrival. As long as nothing else is
 * under way the reader issues them itself. A call is queued in its lane, which then has a thread of
 * its own, if an earlier one of the lane is still being issued, or if the session has several lanes
 * and nobody waits for the call: so no device waits behind another's full queue. An ordered call
 * starts when every earlier call of the session is issued, and no later one starts before it.
 */
final class Lanes {
  /** Most calls in a lane's queue; about as far as the vendor's driver lets a program run ahead. */
  static final int MOST_CALLS = 1024;

  /**
   * Most calls in all queues, each of which has two mappings of memory; the kernel permits a
   * process 65,530. A call that comes to an empty queue always fits, so that no lane is kept from
   * work by others that have none done.
   */
  static final int MOST_QUEUED = 8 * MOST_CALLS;

  /** Most bytes of bodies in a lane's queue; a call that comes to an empty one always fits. */
  private static final long MOST_BYTES = 16L << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Consumer<Lane> drain;
  private final Lane[] lanes = new Lane[Limits.LANES];
  // Lanes with a context that lives.
  private volatile int contexts;
  // Lanes whose calls a thread of their own issues, until it has found that there are no more.
  private volatile int held;
  // Whether the reader waits for room in a queue, and so does not read.
  private volatile boolean full;
  private int queued;
  private long arrivals;
  // Arrival of the last ordered call that was queued, and of the last that was issued.
  private long barrier;
  private long barrierPassed;
  private boolean closed;

  /** {@code drain} issues the calls of a lane's queue, on a thread that it has to itself. */
  Lanes(Consumer<Lane> drain) {
    this.drain = drain;
  }

  /** The lane of an index; for the readers of all rings. */
  Lane of(int index) {
    Lane lane = lanes[index];
    return lane != null && lane.open ? lane : open(index);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the lock.
  private Lane open(int index) {
    lock.lock();
    try {
      if (lanes[index] != null && lanes[index].open) {
        return lanes[index];
      }
      contexts += index == 0 ? 0 : 1;
      if (lanes[index] == null) {
        lanes[index] = new Lane(lane -> () -> drain.accept(lane));
      }
      lanes[index].open = true;
      return lanes[index];
    } finally {
      lock.unlock();
    }
  }

  /** The context of a lane has ended; the next one may have the same index. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the lock.
  void ended(int index) {
    lock.lock();
    try {
      if (index != 0 && lanes[index].open) {
        lanes[index].open = false;
        contexts--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the reader may issue a call itself, or start it if it may wait. */
  boolean direct(Lane lane, CallFrame call) {
    boolean alone = call.lane == 0 || contexts < 2 || call.answering != Dispatcher.ASYNC;
    return alone && (held == 0 || unaffected(lane, call));
  }

  private boolean unaffected(Lane lane, CallFrame call) {
    lock.lock();
    try {
      return !lane.busy() && !call.ordered() && barrier == barrierPassed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a call to its lane's queue; waits while it is full. For the reader.
   *
   * @param call keeps its body
   * @return whether the caller is to have the lane drained
   */
  boolean queue(Lane lane, CallFrame call) {
    lock.lock();
    try {
      awaitRoom(lane, call);
      arrive(call);
      lane.queue.addLast(call);
      queued++;
      lane.bytes += call.bodyBytes();
      return hold(lane);
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom(Lane lane, CallFrame call) {
    while (full(lane, call)) {
      full = true;
      changed.awaitUninterruptibly();
    }
    full = false;
  }

  /** Whether a queue is full and the reader waits for it. */
  boolean full() {
    return full;
  }

  private boolean full(Lane lane, CallFrame call) {
    return !closed
        && !lane.queue.isEmpty()
        && (lane.queue.size() == MOST_CALLS
            || queued >= MOST_QUEUED
            || lane.bytes + call.bodyBytes() > MOST_BYTES);
  }

  /** Whether it was free. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the lock.
  private boolean hold(Lane lane) {
    boolean free = !lane.held;
    held += free ? 1 : 0;
    lane.held = true;
    return free;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the lock.
  private void free(Lane lane) {
    held--;
    lane.held = false;
    changed.signalAll();
  }

  /** Waits until each call that has come is issued, at most so many nanoseconds; for the reader. */
  void awaitIssued(long most) throws InterruptedException {
    lock.lock();
    try {
      for (long left = most; held > 0 && left > 0 && !closed; ) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sequence of the first posted call that has come and is not issued. */
  long firstPosted() {
    if (held == 0) {
      return Long.MAX_VALUE;
    }
    lock.lock();
    try {
      long first = Long.MAX_VALUE;
      for (Lane lane : lanes) {
        first = lane != null ? Math.min(first, lane.firstPosted()) : first;
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void arrive(CallFrame call) {
    call.arrival = ++arrivals;
    call.barrier = barrier;
    if (call.ordered()) {
      barrier = call.arrival;
    }
  }

  /**
   * The reader has been at a call for too long: from now on the lane is its thread's, and others
   * queue behind it.
   *
   * @param takeOver decides, under the lock, whether it is still so
   * @param lane none if the frame is not a call
   * @return what {@code takeOver} decided
   */
  boolean hold(BooleanSupplier takeOver, Lane lane, CallFrame call) {
    lock.lock();
    try {
      if (!takeOver.getAsBoolean()) {
        return false;
      }
      if (lane != null) {
        arrive(call);
        hold(lane);
        lane.issues(call);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the lane's next call that may be issued; null if there is none, and ends the hold.
   */
  CallFrame next(Lane lane) {
    lock.lock();
    try {
      CallFrame call = lane.queue.peekFirst();
      while (call != null && !closed && !mayStart(lane, call)) {
        changed.awaitUninterruptibly();
      }
      if (call == null || closed) {
        free(lane);
        return null;
      }
      lane.queue.removeFirst();
      queued--;
      lane.bytes -= call.bodyBytes();
      lane.issues(call);
      return call;
    } finally {
      lock.unlock();
    }
  }

  private boolean mayStart(Lane lane, CallFrame call) {
    return call.barrier <= barrierPassed && (!call.ordered() || first(lane, call));
  }

  private boolean first(Lane its, CallFrame call) {
    for (Lane lane : lanes) {
      if (lane != null && lane != its && lane.first() < call.arrival) {
        return false;
      }
    }
    return true;
  }

  /** A call of a lane that its thread holds has been issued, or starts and may wait. */
  void issued(Lane lane, CallFrame call) {
    lock.lock();
    try {
      if (lane == null) {
        return;
      }
      lane.issuing = 0;
      lane.posted = Long.MAX_VALUE;
      if (call.ordered()) {
        barrierPassed = call.arrival;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a hold without issuing more; returns whether the caller is to have the lane drained. */
  boolean leave(Lane lane) {
    lock.lock();
    try {
      boolean more = !lane.queue.isEmpty();
      if (!more) {
        free(lane);
      }
      return more;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all who wait. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
