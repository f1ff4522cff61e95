// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import io.outboard.pool.broker.LeaseWork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** The work that a lease has done of late. Not safe for threads. */
final class Activity {
  private static final double NANOS = 1e9;

  private final Deque<Moment> moments = new ArrayDeque<>();
  private Instant since;

  private record Moment(Instant at, LeaseWork work) {}

  /** One that is seen for the first time, and perhaps was used just before. */
  Activity(Instant now) {
    since = now;
  }

  /** Takes into account what it has had up to now. */
  void add(LeaseWork work, Instant now) {
    if (!moments.isEmpty() && !moments.getLast().work().equals(work)) {
      since = now;
    }
    moments.addLast(new Moment(now, work));
    while (moments.getFirst().at().isBefore(now.minus(Samples.LATE))) {
      moments.removeFirst();
    }
  }

  /** Since when it has done nothing. */
  Instant since() {
    return since;
  }

  /** All that it has had. */
  LeaseWork work() {
    return moments.getLast().work();
  }

  /** The GPUs that it has kept busy of late; none where that is not measured. */
  OptionalDouble busy() {
    LeaseWork first = moments.getFirst().work();
    LeaseWork last = work();
    double seconds = seconds();
    return seconds == 0 || first.busy().isEmpty() || last.busy().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            Math.max(0, (last.busy().getAsLong() - first.busy().getAsLong()) / NANOS / seconds));
  }

  /** Bytes a second that its programs have sent and received of late. */
  double bytes() {
    double seconds = seconds();
    return seconds == 0
        ? 0
        : Math.max(0, (bytes(work()) - bytes(moments.getFirst().work())) / seconds);
  }

  private static double bytes(LeaseWork work) {
    return (double) work.bytesIn() + work.bytesOut();
  }

  private double seconds() {
    return Duration.between(moments.getFirst().at(), moments.getLast().at()).toNanos() / NANOS;
  }
}
