// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Figures of a backend since it began; guarded by its broker's monitor. */
public final class Totals {
  private final Map<LeaseState, Long> became = new EnumMap<>(LeaseState.class);
  private Duration waited = Duration.ZERO;
  private long calls;
  private long bytesIn;
  private long bytesOut;
  private long linksLost;
  private long linksResumed;
  private long refused;

  /** Sessions have made so many calls more, and sent and received so many bytes. */
  public void add(long moreCalls, long moreIn, long moreOut) {
    calls += moreCalls;
    bytesIn += moreIn;
    bytesOut += moreOut;
  }

  /** Clients have lost so many connections more, and resumed so many sessions. */
  public void links(long lost, long resumed) {
    linksLost += lost;
    linksResumed += resumed;
  }

  /** A request for a lease was refused. */
  public void refused() {
    refused++;
  }

  /** A lease is now another one; {@code before} is null where it was not known. */
  void count(Lease before, Lease now) {
    boolean counts = now.state() == LeaseState.GRANTED || now.state().isEnd();
    if (before != null && before.state() != now.state() && counts) {
      became.merge(now.state(), 1L, Long::sum);
    }
    if (before != null && before.state() == LeaseState.REQUESTED && now.state().holds()) {
      waited = waited.plus(Duration.between(now.requested(), now.granted()));
    }
  }

  /** As a row of a control connection. */
  public Form form() {
    Form form = new Form().with("calls", calls).with("bytesIn", bytesIn).with("bytesOut", bytesOut);
    form.with("waited", waited.toMillis())
        .with("refused", refused)
        .with("linksLost", linksLost)
        .with("linksResumed", linksResumed);
    for (LeaseState state : LeaseState.values()) {
      if (state == LeaseState.GRANTED || state.isEnd()) {
        form.with(state.label(), became.getOrDefault(state, 0L));
      }
    }
    return form;
  }
}
