// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.usage;

import io.outboard.lease.Form;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** GPU hours of the ledger's rows in steps of time, by what the rows have in common. */
public final class UsageSteps {
  /** Lines; the rest has one together. */
  public static final int MOST_LINES = 8;

  private static final int DAYS_IN_HOURS = 3;
  private static final double WHOLE_HOUR = 3_600_000.0 * 1_000;
  private static final String REST = "others";

  private final String by;
  private final long begin;
  private final long step;
  private final int count;
  private final Map<String, double[]> sums = new HashMap<>();

  /**
   * Those of the last days, up to now: hours of a few of them, else days.
   *
   * @param by the value that rows of a line have in common
   */
  public UsageSteps(String by, int days, Instant now) {
    this.by = by;
    Duration one = days <= DAYS_IN_HOURS ? Duration.ofHours(1) : Duration.ofDays(1);
    step = one.toMillis();
    count = Math.toIntExact(Duration.ofDays(days).dividedBy(one));
    begin = Math.ceilDiv(now.toEpochMilli(), step) * step - count * step;
  }

  /**
   * GPU hours, by their shares.
   *
   * @param name what its rows have in common
   * @param hours at each step
   */
  public record Line(String name, List<Double> hours) {
    /** Copies the list. */
    public Line {
      hours = List.copyOf(hours);
    }
  }

  /** Adds a row, which may lie in several steps. */
  public void add(Form row) {
    String name = row.get(by).isEmpty() ? "-" : row.get(by);
    double[] sum = sums.computeIfAbsent(name, _ -> new double[count]);
    long from = row.number("from", 0);
    long to = row.number("to", 0);
    for (int i = 0; i < count; i++) {
      long low = Math.max(from, begin + i * step);
      long high = Math.min(to, begin + (i + 1) * step);
      if (high > low) {
        sum[i] += (high - low) * row.number("share", 0) / WHOLE_HOUR;
      }
    }
  }

  /** When the first step begins. */
  public Instant begin() {
    return Instant.ofEpochMilli(begin);
  }

  /** How long each is. */
  public Duration step() {
    return Duration.ofMillis(step);
  }

  /** When each begins, in seconds since 1970. */
  public List<Long> moments() {
    return IntStream.range(0, count).mapToObj(i -> (begin + i * step) / 1_000).toList();
  }

  /** The largest have a line each, and the rest one together. */
  public List<Line> lines() {
    List<Map.Entry<String, double[]>> largest =
        sums.entrySet().stream()
            .sorted(
                Comparator.comparingDouble(
                        (Map.Entry<String, double[]> one) -> -Arrays.stream(one.getValue()).sum())
                    .thenComparing(Map.Entry::getKey))
            .toList();
    int shown = Math.min(MOST_LINES, largest.size());
    List<Line> lines = new ArrayList<>();
    largest.subList(0, shown).forEach(one -> lines.add(line(one.getKey(), one.getValue())));
    if (shown < largest.size()) {
      double[] rest = new double[count];
      largest
          .subList(shown, largest.size())
          .forEach(one -> Arrays.setAll(rest, i -> rest[i] + one.getValue()[i]));
      lines.add(line(REST, rest));
    }
    return lines;
  }

  private static Line line(String name, double[] hours) {
    return new Line(name, Arrays.stream(hours).boxed().toList());
  }
}
