// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import io.outboard.bench.gpu.run.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether programs print the same numbers, bit for bit, as with the machine's own driver. */
final class FidelityTable {
  private final List<Run> runs;

  FidelityTable(List<Run> runs) {
    this.runs = runs;
  }

  String render() {
    if (runs.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("program", "over", "compared with native, bit for bit"));
    for (String piece : Ways.pieces(runs)) {
      for (String way : Ways.compared(runs)) {
        rows.add(List.of(piece, way, verdict(piece, way)));
      }
    }
    return Markdown.table(rows);
  }

  private String verdict(String piece, String way) {
    Optional<Run> before = Ways.run(runs, piece, Way.NATIVE);
    Optional<Run> after = Ways.run(runs, piece, way);
    if (before.isEmpty() || after.isEmpty()) {
      return "not run";
    }
    return failure(before.get())
        .or(() -> failure(after.get()))
        .orElseGet(() -> compare(before.get().notes(), after.get().notes()));
  }

  private static Optional<String> failure(Run run) {
    return Optional.ofNullable(run.failure())
        .map(reason -> "%s failed: %s".formatted(run.way(), reason));
  }

  private static String compare(Map<String, String> before, Map<String, String> after) {
    for (Map.Entry<String, String> number : before.entrySet()) {
      String other = after.get(number.getKey());
      if (!number.getValue().equals(other)) {
        return "**differs** at %s: %s, %s".formatted(number.getKey(), number.getValue(), other);
      }
    }
    return before.equals(after) ? "equal: %d numbers".formatted(before.size()) : "**differs**";
  }
}
