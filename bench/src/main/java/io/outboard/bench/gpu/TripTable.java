// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Round trips: of a program that takes so many steps, and of each step. The pieces are named {@code
 * PROGRAM/STEPS}; each program is there with few and with many.
 */
final class TripTable {
  private final List<Run> runs;

  TripTable(List<Run> runs) {
    this.runs = runs;
  }

  String render() {
    if (runs.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("program", "over", "round trips", "each step", "most of them"));
    Set<String> programs = new LinkedHashSet<>();
    Ways.pieces(runs).forEach(piece -> programs.add(piece.replaceFirst("/.*", "")));
    for (String program : programs) {
      Ways.compared(runs).forEach(way -> rows.add(row(program, way)));
    }
    return Markdown.table(rows);
  }

  private List<String> row(String program, String way) {
    List<Run> counted =
        runs.stream()
            .filter(run -> run.way().equals(way) && run.piece().startsWith(program + "/"))
            .toList();
    Optional<Run> failed = counted.stream().filter(run -> run.failure() != null).findFirst();
    if (counted.isEmpty() || failed.isPresent()) {
      return List.of(program, way, failed.map(Run::failure).orElse("not run"), "", "");
    }
    Run few = counted.getFirst();
    Run many = counted.getLast();
    String each =
        counted.size() == 1
            ? ""
            : Numbers.rounded((trips(many) - trips(few)) / (steps(many) - steps(few)));
    return List.of(
        program,
        way,
        Numbers.rounded(trips(few)),
        each,
        many.notes().getOrDefault(many.piece(), ""));
  }

  private static double trips(Run run) {
    return run.figures().getOrDefault(run.piece(), Double.NaN);
  }

  private static double steps(Run run) {
    return Double.parseDouble(run.piece().replaceFirst(".*/", ""));
  }
}
