// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts spare workers once some of the processors' time is idle. Also in {@link SpareTime} a start
 * takes a thirtieth of a processor from a program that computes on all of them, for many seconds.
 * At once where clients follow each other: the next one would wait for longer than that takes.
 */
final class SpareStarts implements AutoCloseable {
  /** Of two processors one that computes leaves twice as much. */
  private static final double IDLE = 0.25;

  private static final long FIRST_LOOK_MS = 50;
  private static final long MOST_MS = 800;

  /** Whoever comes so soon after another may be one of many. */
  private static final long SERIES_NS = TimeUnit.SECONDS.toNanos(3);

  private final Runnable start;
  private final AtomicBoolean awaited = new AtomicBoolean();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("spare-workers").daemon(true).factory());

  // The caller's.
  private long before = System.nanoTime() - SERIES_NS;

  /** {@code start} is run after each time that they were wanted, by any thread. */
  SpareStarts(Runnable start) {
    this.start = start;
  }

  /** A client has come; for one thread at a time. */
  void want() {
    long now = System.nanoTime();
    boolean series = now - before < SERIES_NS;
    before = now;
    if (series) {
      start.run();
    } else if (!awaited.getAndSet(true)) {
      lookLater(new CalmTime(IDLE), FIRST_LOOK_MS);
    }
  }

  private void lookLater(CalmTime calm, long pauseMs) {
    var _ = thread.schedule(() -> look(calm, pauseMs), pauseMs, TimeUnit.MILLISECONDS);
  }

  private void look(CalmTime calm, long pauseMs) {
    if (calm.hasCome()) {
      awaited.set(false);
      start.run();
    } else if (!thread.isShutdown()) {
      lookLater(calm, Math.min(2 * pauseMs, MOST_MS));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
