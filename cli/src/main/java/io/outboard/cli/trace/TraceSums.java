// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.trace;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Line;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums of times by place and name; devices are first, since programs wait for them. */
final class TraceSums {
  /** Rows of a place that people are shown; the file has all. */
  private static final int SHOWN = 20;

  private final Trace trace;

  /** Slices of one name in one place. */
  private record Row(int process, String name, long count, double time) {
    static Row of(List<Slice> slices) {
      Slice first = slices.getFirst();
      double time = slices.stream().mapToDouble(Slice::time).sum();
      return new Row(first.track().process(), first.name(), slices.size(), time);
    }
  }

  TraceSums(Trace trace) {
    this.trace = trace;
  }

  Answer answer() {
    Map<Integer, List<Row>> places = rows();
    List<Line> lines = new ArrayList<>();
    lines.add(Line.heading(heading()));
    places.forEach((_, rows) -> rows.stream().limit(SHOWN).map(this::line).forEach(lines::add));
    busy().forEach((place, share) -> lines.add(Line.row(busy(place, share))));
    return new Answer(json(places), lines);
  }

  /** Devices first, then the program, then the backend; in each what took longest. */
  private Map<Integer, List<Row>> rows() {
    Comparator<Integer> order =
        Comparator.comparing((Integer process) -> process < Trace.DEVICES)
            .thenComparing(Comparator.naturalOrder());
    Map<Integer, List<Row>> places = new TreeMap<>(order);
    trace.slices().stream()
        .collect(Collectors.groupingBy(slice -> List.of(slice.track().process(), slice.name())))
        .values()
        .stream()
        .map(Row::of)
        .sorted(Comparator.comparingDouble(Row::time).reversed())
        .forEach(row -> places.computeIfAbsent(row.process(), _ -> new ArrayList<>()).add(row));
    return places;
  }

  /** How much of the whole time each device works. */
  private Map<String, Double> busy() {
    Map<String, Double> busy = new TreeMap<>();
    double whole = trace.end() - trace.begin();
    trace.slices().stream()
        .filter(Trace::isDevice)
        .collect(Collectors.groupingBy(slice -> slice.track().process()))
        .forEach((process, its) -> busy.put(trace.place(process), covered(its) / whole));
    return busy;
  }

  /** Streams work at the same time, which counts once. */
  private static double covered(List<Slice> slices) {
    double sum = 0;
    double until = Double.NEGATIVE_INFINITY;
    List<Slice> inOrder = slices.stream().sorted(Comparator.comparingDouble(Slice::begin)).toList();
    for (Slice slice : inOrder) {
      sum += Math.max(0, slice.end() - Math.max(slice.begin(), until));
      until = Math.max(until, slice.end());
    }
    return sum;
  }

  private static String heading() {
    return "%-10s %10s %12s %12s  %s".formatted("place", "count", "time, ms", "mean, us", "name");
  }

  private Line line(Row row) {
    return Line.row(
        String.format(
            Locale.ROOT,
            "%-10s %10d %12.3f %12.3f  %s",
            trace.place(row.process),
            row.count,
            row.time / 1e3,
            row.time / row.count,
            row.name));
  }

  private String busy(String place, double share) {
    double seconds = (trace.end() - trace.begin()) / 1e6;
    return String.format(Locale.ROOT, "%s works %.1f %% of %.3f s", place, share * 100, seconds);
  }

  private Map<String, Object> json(Map<Integer, List<Row>> places) {
    return Ordered.of(
        "seconds", (trace.end() - trace.begin()) / 1e6,
        "busy", busy(),
        "sums", places.values().stream().flatMap(List::stream).map(this::json).toList());
  }

  private Map<String, Object> json(Row row) {
    return Ordered.of(
        "place",
        trace.place(row.process),
        "name",
        row.name,
        "count",
        row.count,
        "seconds",
        row.time / 1e6);
  }
}
