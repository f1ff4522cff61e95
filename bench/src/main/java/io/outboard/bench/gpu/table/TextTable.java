// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import io.outboard.bench.gpu.run.Way;
import java.util.ArrayList;
import java.util.List;

/** Texts that programs printed, native and each way; a text that differs from native is bold. */
final class TextTable {
  private static final String NOTHING = "–";

  private final String title;
  private final List<Run> runs;
  private final List<String> ways;

  /**
   * Of some runs.
   *
   * @param title what the programs are
   */
  TextTable(String title, List<Run> runs) {
    this.title = title;
    this.runs = runs;
    this.ways = Ways.compared(runs);
  }

  String render() {
    if (runs.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(title, Way.NATIVE));
    head.addAll(ways);
    rows.add(head);
    Ways.pieces(runs).forEach(piece -> rows.add(row(piece)));
    return Markdown.table(rows);
  }

  private List<String> row(String piece) {
    String before = said(piece, Way.NATIVE);
    List<String> cells = new ArrayList<>(List.of(piece, before));
    for (String way : ways) {
      String ours = said(piece, way);
      cells.add(ours.equals(before) || before.equals(NOTHING) ? ours : "**" + ours + "**");
    }
    return cells;
  }

  private String said(String piece, String way) {
    return Ways.run(runs, piece, way).map(TextTable::said).orElse(NOTHING);
  }

  private static String said(Run run) {
    return run.failure() == null
        ? run.notes().getOrDefault(run.piece(), "")
        : "failed: " + run.failure();
  }
}
