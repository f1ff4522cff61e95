// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What {@code outboard run --report} prints when a program ends: a line for each function and one
 * for all, for each library of each process.
 */
record CallReport(List<Row> rows) {
  private static final int MOST = 8;
  private static final int COLUMNS = 7;

  /** A function's name, how often it was called, and how often the answer was waited for. */
  record Row(String function, long calls, long roundTrips) {}

  /** Reads the rows of functions among whatever else the program wrote. */
  static CallReport parse(String text) {
    List<Row> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : text.lines().toList()) {
      String[] words = line.strip().split(" +", -1);
      inside = line.startsWith("outboard: process") || (inside && !words[0].equals("all"));
      if (inside && words.length == COLUMNS && words[1].matches("\\d+")) {
        rows.add(new Row(words[0], Long.parseLong(words[1]), Long.parseLong(words[2])));
      }
    }
    return new CallReport(rows);
  }

  long roundTrips() {
    return rows.stream().mapToLong(Row::roundTrips).sum();
  }

  /** The functions with the most round trips. */
  String most() {
    return rows.stream()
        .filter(row -> row.roundTrips() > 0)
        .sorted(Comparator.comparingLong(Row::roundTrips).reversed())
        .limit(MOST)
        .map(row -> row.function() + " " + row.roundTrips())
        .collect(Collectors.joining(", "));
  }
}
