// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits for what comes about by itself, in tests. A limit is for what is lost, and never for speed:
 * it is long, and as many times longer as this machine is slower now than a quiet one (see {@link
 * Slowness}). A test whose subject takes long has no limit of its own either: {@link TestLimit}.
 */
public final class Patience {
  /** So long at least: what has not come by then is lost. */
  public static final Duration LIMIT = of(Duration.ofMinutes(2));

  private static final long LOOK_MS = 5;

  private Patience() {}

  /** For as long as something may take on a quiet machine, generously: so long here. */
  public static Duration of(Duration usual) {
    return usual.multipliedBy(Slowness.FACTOR);
  }

  /** {@link #LIMIT} in milliseconds, for system calls and sockets. */
  public static int milliseconds() {
    return (int) LIMIT.toMillis();
  }

  /** Looks again and again; an assertion's error if it does not come about. */
  public static void until(String what, Callable<Boolean> condition) throws Exception {
    until(() -> what, condition);
  }

  /** The same, with words that are only found once it has failed. */
  public static void until(Supplier<String> what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw lost(what.get());
      }
      Thread.sleep(LOOK_MS);
    }
  }

  /** Takes what comes next. */
  public static <T> T take(BlockingQueue<T> from) throws InterruptedException {
    T next = from.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    if (next == null) {
      throw lost("the next of a queue");
    }
    return next;
  }

  /** Returns once a latch has opened. */
  public static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw lost(latch.toString());
    }
  }

  /** Returns once a thread has ended. */
  public static void join(Thread thread) throws InterruptedException {
    if (!thread.join(LIMIT)) {
      throw lost("the end of " + thread);
    }
  }

  /** Returns the exit status of a process once it has ended. */
  public static int exit(Process process) throws InterruptedException {
    return exit(process, process::toString);
  }

  /** The same, with words about a process that does not end. */
  public static int exit(Process process, Supplier<String> what) throws InterruptedException {
    if (!process.waitFor(LIMIT)) {
      throw lost("the end of " + what.get());
    }
    return process.exitValue();
  }

  private static AssertionError lost(String what) {
    return new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
  }
}
