// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import io.outboard.bench.gpu.run.Way;
import java.util.ArrayList;
import java.util.List;

/** The figures, native and over each way, each beside where it is to get. */
final class FigureTable {
  private static final String NOTHING = "–";

  private final List<Run> runs;
  private final List<String> ways;

  FigureTable(List<Run> runs) {
    this.runs = runs;
    this.ways = Ways.compared(runs);
  }

  /** Those of the figures that a run gave or said something about; nothing without any. */
  String render() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("figure", Way.NATIVE));
    head.addAll(ways);
    rows.add(head);
    Figure.all().stream().filter(this::isThere).map(this::row).forEach(rows::add);
    return rows.size() == 1 ? "" : Markdown.table(rows);
  }

  private boolean isThere(Figure figure) {
    return runs.stream()
        .anyMatch(
            run ->
                run.figures().containsKey(figure.name()) || run.notes().containsKey(figure.name()));
  }

  private List<String> row(Figure figure) {
    List<String> cells = new ArrayList<>();
    cells.add(figure.label() + ", " + figure.unit());
    cells.add(alone(figure, Way.NATIVE));
    ways.forEach(way -> cells.add(cell(figure, way)));
    return cells;
  }

  private String cell(Figure figure, String way) {
    Comparison comparison = Comparison.of(runs, figure.name(), way);
    if (comparison.pairs().isEmpty()) {
      return alone(figure, way);
    }
    String measured =
        "%s; %s× (%s)"
            .formatted(
                Numbers.rounded(comparison.ours()),
                Numbers.rounded(comparison.ratio()),
                comparison.spread());
    return figure
        .target(way)
        .map(target -> measured + verdict(target, comparison))
        .orElse(measured);
  }

  /** Text about one way without the other: its median, or a note. */
  private String alone(Figure figure, String way) {
    return Ways.median(runs, figure.name(), way)
        .map(Numbers::rounded)
        .or(() -> Ways.note(runs, figure.name(), way))
        .orElse(NOTHING);
  }

  private static String verdict(Target target, Comparison comparison) {
    return target.isMet(comparison) ? "; met " + target : "; **missed** " + target;
  }
}
