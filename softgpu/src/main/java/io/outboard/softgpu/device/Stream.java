// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.base.Handled;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue of work, done in its order by one thread at a time: the <em>owner</em>. The owner is a
 * thread of {@link StreamThreads}, or whoever waits for the stream and finds that nobody owns it:
 * then the waiting thread does the work itself, which saves two changes of thread. Because waiting
 * threads help, a limited number of threads cannot deadlock.
 */
public final class Stream extends Handled {
  /** Flag of a stream that the legacy default stream does not wait for. */
  public static final int NON_BLOCKING = 1;

  /** Most operations that wait in a stream; the vendor's driver blocks at about as many. */
  public static final int LIMIT = 1024;

  private static final AtomicLong LATEST_ID = new AtomicLong();

  private final long id = LATEST_ID.incrementAndGet();
  private final Context context;
  private final int flags;
  private final ArrayDeque<Operation> queue = new ArrayDeque<>();
  private long submitted;
  private long completed;
  private volatile StreamCapture capture;
  private final StreamAttributes attributes = new StreamAttributes();
  private volatile GreenContext green;
  private Thread owner;
  private boolean scheduled;
  private int waiting;

  Stream(Context context, int flags) {
    this.context = context;
    this.flags = flags;
  }

  public Context context() {
    return context;
  }

  public int flags() {
    return flags;
  }

  /** A number that no other stream of the process has. */
  public long id() {
    return id;
  }

  /** The capture that it is in, or null. */
  public StreamCapture capture() {
    return capture;
  }

  public void capture(StreamCapture joined) {
    capture = joined;
  }

  /** The green context that it was made in, or null. */
  public GreenContext green() {
    return green;
  }

  void green(GreenContext owner) {
    green = owner;
  }

  /** What the program has set of it. */
  public StreamAttributes attributes() {
    return attributes;
  }

  boolean isBlocking() {
    return (flags & NON_BLOCKING) == 0;
  }

  /** Number of the last operation while some are not done, else 0. */
  synchronized long pending() {
    return completed < submitted ? submitted : 0;
  }

  /** Makes an operation of another stream wait for all that is here now. */
  public void markEnd(Operation operation) {
    long last = pending();
    if (last > 0) {
      operation.dependOn(this, last);
    }
  }

  /** Whether the operation of this number is done. */
  synchronized boolean isDone(long sequence) {
    return completed >= sequence;
  }

  /** Appends an operation and returns its number, from 1. */
  synchronized long add(Operation operation) {
    queue.add(operation);
    return ++submitted;
  }

  /** Waits until there is room for another operation. */
  void awaitRoom() {
    long excess;
    synchronized (this) {
      excess = submitted - LIMIT + 1;
    }
    await(excess);
  }

  /** Waits until all that was submitted up to now is done. */
  void awaitAll() {
    await(pending());
  }

  /** Waits until the operation of this number is done, or does the work itself. */
  public void await(long sequence) {
    while (own(sequence)) {
      work(sequence);
    }
  }

  /** Has a thread of the pool do the work, unless somebody is at it. */
  public synchronized void wake() {
    if (owner == null && !scheduled && !queue.isEmpty()) {
      scheduled = true;
      context.machine().streamThreads().schedule(this);
    }
  }

  /** Does all work, unless somebody is at it: the body of a thread of the pool. */
  void drain() {
    synchronized (this) {
      scheduled = false;
      if (owner != null) {
        return;
      }
      owner = Thread.currentThread();
    }
    work(Long.MAX_VALUE);
  }

  /**
   * Waits; true when the operation is still to be done and the caller owns the stream. CUDA's waits
   * cannot be interrupted: the wish is kept for the caller.
   */
  private synchronized boolean own(long sequence) {
    boolean interrupted = false;
    while (completed < sequence && owner != null) {
      if (owner == Thread.currentThread()) {
        throw new IllegalStateException("work of a stream waits for its own stream");
      }
      waiting++;
      try {
        wait();
      } catch (InterruptedException later) {
        interrupted = true;
      }
      waiting--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    boolean todo = completed < sequence;
    owner = todo ? Thread.currentThread() : owner;
    return todo;
  }

  private void work(long limit) {
    for (Operation next = next(limit); next != null; next = next(limit)) {
      try {
        context.machine().workWatch().execute(next, this);
      } catch (Throwable failure) {
        context.broken(failure);
      } finally {
        done();
      }
    }
  }

  /** The next operation, or null when the owner's work ends. */
  private synchronized Operation next(long limit) {
    Operation next = completed < limit ? queue.peek() : null;
    if (next == null) {
      owner = null;
      announce();
      wake();
    }
    return next;
  }

  private synchronized void done() {
    queue.remove();
    completed++;
    announce();
  }

  private void announce() {
    if (waiting > 0) {
      notifyAll();
    }
  }
}
