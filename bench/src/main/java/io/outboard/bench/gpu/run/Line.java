// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * A line that a program of this benchmark prints; either a figure or a note is there.
 *
 * @param figure what it is about
 * @param value the figure, in the unit of {@code figures.tsv}
 * @param note something that is no number, such as why there is none
 */
record Line(String figure, Double value, String note) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The lines of JSON in what a program printed; others are the libraries' chatter, or cut off by
   * the program's end.
   *
   * @throws IllegalArgumentException if one is not as it should be
   */
  static List<Line> parse(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("{\"figure\"") && line.endsWith("}"))
        .map(Line::of)
        .toList();
  }

  private static Line of(String text) {
    try {
      return JSON.readValue(text, Line.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a program of the benchmark printed '" + text + "'", e);
    }
  }
}
