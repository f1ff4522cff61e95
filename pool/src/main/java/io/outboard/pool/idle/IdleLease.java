// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.idle;

import io.outboard.backend.supervision.SessionActivity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How long one lease has been idle, and which steps have been taken about it: it is idle while its
 * programs make no calls and nothing works for them.
 */
final class IdleLease {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(30);
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  private final IdleLimits limits;
  private final Set<IdleStep> taken = EnumSet.noneOf(IdleStep.class);
  private Instant since;
  private long calls;
  // Of the step that failed last: when it is due again, and how long that was put off.
  private Instant again = Instant.MAX;
  private Duration delay = FIRST_DELAY;
  private IdleStep failed;

  /** One that is used now. */
  IdleLease(IdleLimits limits, SessionActivity activity, Instant now) {
    this.limits = limits;
    this.since = now;
    this.calls = activity.calls();
  }

  /** Takes what it is at into account; returns the steps to take now. */
  List<IdleStep> look(SessionActivity activity, Instant now) {
    if (activity.working() || activity.calls() != calls) {
      calls = activity.calls();
      since = now;
      taken.clear();
      again = Instant.MAX;
      delay = FIRST_DELAY;
    }
    if (!now.isBefore(again)) {
      again = Instant.MAX;
      taken.remove(failed);
    }
    List<IdleStep> due = new ArrayList<>();
    for (IdleStep step : IdleStep.values()) {
      if (limits.of(step).filter(limit -> limit.compareTo(idle(now)) <= 0).isPresent()
          && taken.add(step)) {
        due.add(step);
      }
    }
    return due;
  }

  /** A step was not possible: it is taken again later, each time after twice as long. */
  void failed(IdleStep step, Instant now) {
    failed = step;
    again = now.plus(delay);
    Duration doubled = delay.multipliedBy(2);
    delay = doubled.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : doubled;
  }

  /** For how long it has been idle. */
  Duration idle(Instant now) {
    return Duration.between(since, now);
  }

  /** Whether a step about it has been taken. */
  boolean isIdle() {
    return !taken.isEmpty();
  }
}
