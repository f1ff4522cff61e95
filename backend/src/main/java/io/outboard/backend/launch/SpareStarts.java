// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts spare workers three seconds after a client has come, so that the start does not take the
 * processors from a program that has just begun. Where clients follow each other within that time
 * it starts them at once: the next client would wait for longer than a start takes.
 */
final class SpareStarts implements AutoCloseable {
  private static final long SERIES_NS = TimeUnit.SECONDS.toNanos(3);

  private final Runnable start;
  private final AtomicBoolean scheduled = new AtomicBoolean();
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
    } else if (!scheduled.getAndSet(true)) {
      var _ = thread.schedule(this::startLate, SERIES_NS, TimeUnit.NANOSECONDS);
    }
  }

  /** Runs something so much later, unless this is closed by then. */
  void after(Duration pause, Runnable action) {
    var _ = thread.schedule(action, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void startLate() {
    scheduled.set(false);
    start.run();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
