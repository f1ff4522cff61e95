// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code outboard run --report} prints when a program ends: a line for each function and one
 * for all, for each library of each process.
 *
 * @param roundTrips how often each function's answer was waited for, by its name
 */
record CallReport(Map<String, Double> roundTrips) {
  private static final int COLUMNS = 7;
  private static final int CALLS = 1;
  private static final int ROUND_TRIPS = 2;

  /** Reads the lines of functions among whatever else the program wrote. */
  static CallReport parse(String text) {
    Map<String, Double> roundTrips = new TreeMap<>();
    boolean inside = false;
    for (String line : text.lines().toList()) {
      String[] words = line.strip().split(" +", -1);
      inside = line.startsWith("outboard: process") || (inside && !words[0].equals("all"));
      if (inside && words.length == COLUMNS && words[CALLS].matches("\\d+")) {
        roundTrips.merge(words[0], Double.parseDouble(words[ROUND_TRIPS]), Double::sum);
      }
    }
    return new CallReport(roundTrips);
  }

  double all() {
    return roundTrips.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
