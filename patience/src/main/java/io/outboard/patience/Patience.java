// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final long MOST_LOOK_MS = 1_000;

  private Patience() {}

  /** For as long as something may take on a quiet machine, generously: so long here. */
  public static Duration of(Duration usual) {
    return usual.multipliedBy(Slowness.FACTOR);
  }

  /** {@link #LIMIT} in milliseconds, for system calls and sockets. */
  public static int milliseconds() {
    return (int) LIMIT.toMillis();
  }

  /** Something that comes about by itself. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Whether it has. */
    boolean holds() throws E;
  }

  /** Looks again and again; an assertion's error if it does not come about. */
  public static <E extends Exception> void until(String what, Condition<E> condition)
      throws E, InterruptedException {
    until(() -> what, condition);
  }

  /** The same, with words that are only found once it has failed. */
  public static <E extends Exception> void until(Supplier<String> what, Condition<E> condition)
      throws E, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    long look = System.nanoTime();
    while (!condition.holds()) {
      long now = System.nanoTime();
      if (now - end > 0) {
        throw lost(what.get());
      }
      Thread.sleep(rest(Duration.ofNanos(now - look)));
      look = System.nanoTime();
    }
  }

  /** A look that starts a program leaves the processor to what it waits for. */
  private static Duration rest(Duration look) {
    return Duration.ofMillis(Math.clamp(2 * look.toMillis(), LOOK_MS, MOST_LOOK_MS));
  }

  /** Returns once a thread waits for another one, where it does so in Java. */
  public static void untilWaits(Thread thread) throws InterruptedException {
    until(() -> thread + " waits, and is " + thread.getState(), () -> isWaiting(thread));
  }

  private static boolean isWaiting(Thread thread) {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> true;
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  /** Returns a result once it is there. */
  public static <T> T get(Future<T> future) throws ExecutionException, InterruptedException {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw lost(future.toString());
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
