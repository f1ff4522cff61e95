// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** For how much of late a GPU had work of leases, of which its driver says nothing. */
final class WorkedGpu {
  private static final double PERCENT = 100;

  private final Deque<Moment> moments = new ArrayDeque<>();

  private record Moment(Instant at, long nanos) {}

  /** Takes a reading: nanoseconds since it began, fewer after its node began anew. */
  void add(long nanos, Instant now) {
    if (!moments.isEmpty() && moments.getLast().nanos() > nanos) {
      moments.clear();
    }
    moments.addLast(new Moment(now, nanos));
    while (moments.getFirst().at().isBefore(now.minus(Samples.LATE))) {
      moments.removeFirst();
    }
  }

  /** None where that is not known yet. */
  OptionalDouble percent() {
    Moment first = moments.getFirst();
    Moment last = moments.getLast();
    long time = Duration.between(first.at(), last.at()).toNanos();
    return time == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(PERCENT, PERCENT * (last.nanos() - first.nanos()) / time));
  }
}
