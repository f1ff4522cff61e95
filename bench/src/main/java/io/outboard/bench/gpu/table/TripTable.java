// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Round trips: of a program's start with a few steps, and of each further step. The pieces are
 * named {@code PROGRAM/STEPS}; a program that takes steps is there with few and with many.
 */
final class TripTable {
  private static final int MOST = 6;

  private final List<Run> runs;

  TripTable(List<Run> runs) {
    this.runs = runs;
  }

  String render() {
    if (runs.isEmpty()) {
      return "";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("program and steps", "over", "round trips", "each further step", "of these most"));
    for (String program : programs()) {
      Ways.compared(runs).forEach(way -> rows.add(row(program, way)));
    }
    return Markdown.table(rows);
  }

  private List<String> programs() {
    return Ways.pieces(runs).stream().map(TripTable::program).distinct().toList();
  }

  private static String program(String piece) {
    return piece.substring(0, piece.lastIndexOf('/'));
  }

  private static double steps(Run run) {
    return Double.parseDouble(run.piece().substring(run.piece().lastIndexOf('/') + 1));
  }

  private List<String> row(String program, String way) {
    List<Run> counted =
        runs.stream()
            .filter(run -> run.way().equals(way) && program(run.piece()).equals(program))
            .toList();
    Optional<Run> failed = counted.stream().filter(run -> run.failure() != null).findFirst();
    if (counted.isEmpty() || failed.isPresent()) {
      return List.of(program, way, failed.map(Run::failure).orElse("not run"), "", "");
    }
    Run few = counted.getFirst();
    Run many = counted.getLast();
    String all = Numbers.plain(few.figures().get(few.piece()));
    if (counted.size() == 1) {
      return List.of(few.piece(), way, all, "", most(withoutTotal(few)));
    }
    Map<String, Double> each = difference(few, many);
    double sum = each.values().stream().mapToDouble(Double::doubleValue).sum();
    return List.of(few.piece(), way, all, Numbers.plain(sum), most(each));
  }

  private static Map<String, Double> withoutTotal(Run run) {
    Map<String, Double> functions = new HashMap<>(run.figures());
    functions.remove(run.piece());
    return functions;
  }

  /** Returns the round trips that a step adds, by function. */
  private static Map<String, Double> difference(Run few, Run many) {
    double steps = steps(many) - steps(few);
    Map<String, Double> before = withoutTotal(few);
    Map<String, Double> each = withoutTotal(many);
    each.replaceAll((function, trips) -> (trips - before.getOrDefault(function, 0.0)) / steps);
    return each;
  }

  private static String most(Map<String, Double> functions) {
    return functions.entrySet().stream()
        .filter(function -> function.getValue() > 0)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(MOST)
        .map(function -> function.getKey() + " " + Numbers.plain(function.getValue()))
        .collect(Collectors.joining(", "));
  }
}
