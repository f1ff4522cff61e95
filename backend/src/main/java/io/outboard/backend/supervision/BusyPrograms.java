// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells each session how many programs are busy at the same time, so that both of its sides know
 * how many share the processors. A program is busy if it has called within the last second. While
 * there is one session, nobody counts.
 */
public final class BusyPrograms {
  /** The part of a session that this uses. */
  public interface Told {
    /** How many calls it has made, and more. */
    SessionFigures figures();

    /** Takes how many programs are busy. */
    void programs(int busy);
  }

  private final Executor later;
  // With the calls that each had made at the last count.
  private final Map<Told, Long> sessions = new ConcurrentHashMap<>();
  private final AtomicBoolean counting = new AtomicBoolean();

  public BusyPrograms() {
    this(CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
  }

  /** {@code later} runs a count after a while. */
  BusyPrograms(Executor later) {
    this.later = later;
  }

  /** A session has begun. */
  public void add(Told session) {
    sessions.put(session, session.figures().calls());
    countOn();
  }

  /** A session is over. */
  public void remove(Told session) {
    sessions.remove(session);
  }

  private void countOn() {
    if (sessions.size() > 1 && counting.compareAndSet(false, true)) {
      later.execute(this::count);
    }
  }

  private void count() {
    long busy = sessions.keySet().stream().filter(this::hasCalled).count();
    sessions.keySet().forEach(session -> session.programs(Math.toIntExact(busy)));
    counting.set(false);
    countOn();
  }

  private boolean hasCalled(Told session) {
    long now = session.figures().calls();
    Long before = sessions.replace(session, now);
    return before != null && before != now;
  }
}
