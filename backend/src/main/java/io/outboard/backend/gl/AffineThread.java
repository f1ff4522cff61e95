// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.library.LoggedCall;
import io.outboard.communicator.stream.IdleStrategy;
import io.outboard.gl.vendor.VendorGl;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Frame;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * The thread on which the calls of one of the client's threads are made, in their order. Posted
 * calls are handed over and not awaited; the caller of any other call waits for its end.
 */
final class AffineThread implements Runnable {
  /** The usual stack of a program's thread: shader compilers run on it. */
  private static final long STACK_BYTES = 8 << 20;

  /** Most posted calls on their way, a power of two. */
  private static final int MOST_POSTED = 256;

  private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Dispatcher calls;
  private final PostedCall[] posted = new PostedCall[MOST_POSTED];
  private final IdleStrategy forCalls = IdleStrategy.withThread(this::isWanted);
  private final IdleStrategy forResults = IdleStrategy.withThread(this::isDone);
  private final Thread thread;
  // How many were handed over, and how many of these are over.
  private volatile long handedOver;
  private volatile long over;
  private volatile IntSupplier call;
  private volatile boolean done;
  private volatile boolean ended;
  private volatile boolean asleep;
  private volatile Thread caller;
  private int result;
  // Of a posted call, for the next one that is answered; and what ends the session.
  private int failed;
  private volatile Throwable failure;

  /** Starts it, for a thread of the client. */
  AffineThread(Dispatcher calls, int client) {
    this.calls = calls;
    thread =
        Thread.ofPlatform()
            .name("gl-" + client)
            .daemon(true)
            .stackSize(STACK_BYTES)
            .unstarted(this);
    thread.start();
  }

  /** Hands a posted call over; waits where too many are on their way. */
  synchronized void post(int its, LoggedCall next) {
    check();
    while (handedOver - over == MOST_POSTED) {
      LockSupport.parkNanos(NAP_NS);
    }
    int at = (int) (handedOver & (MOST_POSTED - 1));
    if (posted[at] == null) {
      posted[at] = new PostedCall();
    }
    posted[at].take(its, next);
    handOver();
    wake();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // Writers hold the lock.
  private void handOver() {
    handedOver++;
  }

  /** Has a call made behind all that were posted, and waits for it. */
  int run(int its, LoggedCall next) {
    return run(() -> result(its, next));
  }

  /** Does something behind all calls that were posted, and waits for its result. */
  synchronized int run(IntSupplier next) {
    done = false;
    caller = Thread.currentThread();
    call = next;
    wake();
    while (!done) {
      if (!forResults.pays()) {
        LockSupport.park(this);
      }
    }
    check();
    return result;
  }

  /** Waits until each call that was posted is over. */
  void drain() {
    long last = handedOver;
    while (over < last) {
      LockSupport.parkNanos(NAP_NS);
    }
  }

  /** Ends it, behind its calls. */
  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /** The session hears a call's exception. */
  private void check() {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  private void wake() {
    if (asleep) {
      LockSupport.unpark(thread);
    }
  }

  private boolean isPosted() {
    return over != handedOver;
  }

  private boolean isDone() {
    return done;
  }

  private boolean isWanted() {
    return isPosted() || call != null || ended;
  }

  @Override
  public void run() {
    while (isPosted() || call != null || !ended) {
      IntSupplier now = call;
      // Looked at after the call: what was posted before it comes first.
      if (isPosted()) {
        issuePosted();
      } else if (now != null) {
        issue(now);
      } else if (!forCalls.pays()) {
        sleep();
      }
    }
    VendorGl.releaseThread();
    for (PostedCall one : posted) {
      if (one != null) {
        one.free();
      }
    }
  }

  private void sleep() {
    asleep = true;
    if (!isWanted()) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // This thread alone writes it.
  private void issuePosted() {
    PostedCall next = posted[(int) (over & (MOST_POSTED - 1))];
    int its = dispatch(next.number(), next);
    failed = failed == 0 ? its : failed;
    over++;
  }

  private void issue(IntSupplier now) {
    try {
      result = now.getAsInt();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    call = null;
    done = true;
    LockSupport.unpark(caller);
  }

  /** The result of a posted call that has failed is told instead of making an answered one. */
  private int result(int number, LoggedCall now) {
    boolean answered = (now.flags() & Frame.FLAG_ANSWER) != 0;
    int earlier = failed;
    if (answered && earlier != 0) {
      failed = 0;
      return earlier;
    }
    return dispatch(number, now);
  }

  private int dispatch(int its, LoggedCall now) {
    try {
      return calls.dispatch(its, now);
    } catch (RuntimeException | Error e) {
      failure = e;
      return 0;
    }
  }
}
