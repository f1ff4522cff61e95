// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** How busy each GPU was in the last minute, as a row of bars, the last one now. */
final class Sparks {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int CELLS = 6;
  private static final long MINUTE = 60_000_000_000L;

  private final Map<String, Deque<Moment>> gpus = new HashMap<>();

  private record Moment(long nanos, double part) {}

  /**
   * Notes how busy one was.
   *
   * @param nanos when, of {@link System#nanoTime}
   * @param part of 1
   */
  void add(String gpu, long nanos, double part) {
    Deque<Moment> moments = gpus.computeIfAbsent(gpu, _ -> new ArrayDeque<>());
    moments.addLast(new Moment(nanos, part));
    while (nanos - moments.getFirst().nanos() >= MINUTE) {
      moments.removeFirst();
    }
  }

  /**
   * That of one; none before a second moment. Of a time of which nothing is known it has spaces.
   */
  Optional<String> of(String gpu, long now) {
    Deque<Moment> moments = gpus.getOrDefault(gpu, new ArrayDeque<>());
    if (moments.size() < 2) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    for (int cell = CELLS; cell > 0; cell--) {
      OptionalDouble mean = mean(moments, now - cell * (MINUTE / CELLS));
      text.append(mean.isPresent() ? bar(mean.getAsDouble()) : ' ');
    }
    return Optional.of(text.toString());
  }

  private static OptionalDouble mean(Deque<Moment> moments, long from) {
    return moments.stream()
        .filter(one -> one.nanos() - from > 0 && one.nanos() - from <= MINUTE / CELLS)
        .mapToDouble(Moment::part)
        .average();
  }

  private static char bar(double part) {
    int height = (int) Math.round(Math.clamp(part, 0, 1) * (BARS.length() - 1));
    return BARS.charAt(height);
  }
}
