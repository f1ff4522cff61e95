// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import java.util.List;
import java.util.stream.Collectors;

/** Tables in Markdown. */
final class Markdown {
  private Markdown() {}

  /** A table; the first row is its head. */
  static String table(List<List<String>> rows) {
    String head = row(rows.getFirst());
    String rule = row(rows.getFirst().stream().map(cell -> "---").toList());
    return rows.stream()
        .skip(1)
        .map(Markdown::row)
        .collect(Collectors.joining("", head + rule, "\n"));
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|").replaceAll("\\s+", " "))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
