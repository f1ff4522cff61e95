// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects calls that block the session's reader thread. The reader runs calls itself, because a
 * hand-over costs more than most calls. A call can take long: the driver's queue is full, the
 * client does not read its answers, or a kernel runs on. This watch then has another thread
 * promoted to reader; otherwise a callback that the call depends on could never return.
 *
 * <p>The watching thread looks every few milliseconds while there are calls and sleeps when there
 * are none. A call that it has seen it looks at again a millisecond later. While the reader waits
 * for the device itself, and another thread of the client may call, it sleeps where the reader
 * would: what comes wakes it.
 */
final class LongCallWatch implements AutoCloseable {
  private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The time between two looks at a call that runs. */
  private static final long SUSPICION_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int TICKS_TO_SLEEP = 20;
  private static final long NONE = -1;
  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(LongCallWatch.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Sleeps until something has come that the reader would read; false where it cannot. */
  interface Arrivals {
    boolean attend();
  }

  private final Runnable late;
  private final Arrivals arrivals;
  private final Thread watcher;
  // Odd while the reader runs a call.
  private volatile long count;
  private volatile boolean asleep;
  // The call that is attended, if it runs still; the reader's.
  private volatile long attended = NONE;
  // The watching thread sleeps for arrivals, or sees before it does anything else what is attended.
  private volatile boolean attending;
  private volatile boolean closed;
  // The watching thread's own: whether it can sleep for arrivals; the count that it has seen, and
  // how
  // often since.
  private boolean able = true;
  private long seen;
  private int quiet;

  /** {@code late} is run by the watching thread, again and again while the reader is at a call. */
  LongCallWatch(Runnable late, Arrivals arrivals) {
    this.late = late;
    this.arrivals = arrivals;
    watcher = Thread.ofPlatform().name("session-watch").daemon(true).unstarted(this::watch);
  }

  void start() {
    watcher.start();
  }

  /** The reader begins to run a call; returns the call's number. */
  long begin() {
    // A full fence: either this sees that the watcher sleeps, or the watcher sees the new count.
    long call = (long) COUNT.getAndAdd(this, 1L) + 1;
    if (asleep) {
      LockSupport.unpark(watcher);
    }
    return call;
  }

  /** The reader waits for the device in this call: what comes meanwhile is to be read at once. */
  void attend(long call) {
    attended = call;
    if (!attending) {
      LockSupport.unpark(watcher);
    }
  }

  /** The call has run; false if another thread reads now. */
  boolean end(long call) {
    return COUNT.compareAndSet(this, call, call + 1);
  }

  /** The present count, odd if a call is being run. */
  long now() {
    return count;
  }

  private void watch() {
    long pause = TICK_NS;
    while (!closed) {
      if (!attends()) {
        LockSupport.parkNanos(this, pause);
      }
      pause = look();
      if (quiet >= TICKS_TO_SLEEP) {
        sleep();
      }
    }
  }

  /** Looks once, on the watching thread; returns when to look again, in nanoseconds. */
  long look() {
    long now = count;
    boolean calling = (now & 1) != 0;
    if (now != seen) {
      seen = now;
      quiet = 0;
    } else if (calling) {
      late.run();
    } else {
      quiet++;
    }
    return calling ? SUSPICION_NS : TICK_NS;
  }

  /** Sleeps for arrivals, where the reader waits; returns whether to look again at once. */
  private boolean attends() {
    attending = true;
    long call = attended;
    boolean waits = call == count && !closed;
    able = able && (!waits || arrivals.attend());
    attending = false;
    if (waits && able && call == count) {
      late.run();
      return false;
    }
    // A later wait may have found this thread in here.
    return able && attended == count && attended != call;
  }

  private void sleep() {
    asleep = true;
    while (count == seen && !closed) {
      LockSupport.park(this);
    }
    asleep = false;
    quiet = 0;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watcher);
  }

  /** Waits until the watching thread has ended. */
  void await() throws InterruptedException {
    watcher.join();
  }
}
