// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** PyTorch over slow links, beside what the round trips that cannot be saved would cost. */
final class ShapedTable {
  /** Round trips of a program's start that are still few. */
  private static final int START_TRIPS = 40;

  private static final double MILLIS = 1e3;
  private static final double PER_SECOND = 1e3;

  private final List<Run> runs;

  ShapedTable(List<Run> runs) {
    this.runs = runs;
  }

  /** The highest permitted value, in milliseconds, for a native value and a round trip. */
  private interface Bound {
    double of(double before, double roundTrip);
  }

  /** Two round trips for a training step, one for each token, 40 for a start. */
  private static final Map<String, Bound> BOUNDS =
      Map.of(
          "resnet_train", (before, roundTrip) -> before + 2 * roundTrip,
          "gpt2_train", (before, roundTrip) -> before + 2 * roundTrip,
          "gpt2_decode", (before, roundTrip) -> PER_SECOND / (PER_SECOND / before + roundTrip),
          "cuda_start", (before, roundTrip) -> before + START_TRIPS * roundTrip / MILLIS);

  String render() {
    if (runs.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("figure", "over", "native", "ours", "native and its round trips", ""));
    for (Figure figure : Figure.all()) {
      for (String way : Ways.compared(runs)) {
        Comparison comparison = Comparison.of(runs, figure.name(), way);
        if (BOUNDS.containsKey(figure.name()) && !comparison.pairs().isEmpty()) {
          rows.add(row(figure, way, comparison));
        }
      }
    }
    return rows.size() == 1 ? "" : Markdown.table(rows);
  }

  private static List<String> row(Figure figure, String way, Comparison comparison) {
    double bound = BOUNDS.get(figure.name()).of(comparison.before(), Link.of(way).roundTrip());
    boolean more = figure.unit().endsWith("/s");
    boolean met = more ? comparison.ours() >= bound : comparison.ours() <= bound;
    return List.of(
        figure.label() + ", " + figure.unit(),
        way,
        Numbers.rounded(comparison.before()),
        "%s (%s×)".formatted(Numbers.rounded(comparison.ours()), comparison.spread()),
        (more ? "≥ " : "≤ ") + Numbers.rounded(bound),
        met ? "met" : "**missed**");
  }
}
