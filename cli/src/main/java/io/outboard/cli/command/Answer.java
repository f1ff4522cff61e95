// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a command has found out, for programs and for people. It is whole before anything of it is
 * printed, so that no heading stands before an error.
 *
 * @param json a value of {@link io.outboard.api.json.Json}: an object, or a list of objects
 * @param lines the same as text
 */
public record Answer(Object json, List<Line> lines) {
  /** Copies the lines. */
  public Answer {
    lines = List.copyOf(lines);
  }

  /** One object, and the line that tells it. */
  public Answer(Object json, String line) {
    this(json, List.of(Line.row(line)));
  }

  /** Any value, and lines that tell it. */
  public static Answer of(Object json, List<String> lines) {
    return new Answer(json, lines.stream().map(Line::row).toList());
  }

  /** Objects, and a table of them. */
  public static Answer table(
      List<Map<String, Object>> objects, String heading, Stream<String> rows) {
    return listing(objects, heading, rows.map(Line::row));
  }

  /** The same with rows of which some stand out. */
  public static Answer listing(
      List<Map<String, Object>> objects, String heading, Stream<Line> rows) {
    return new Answer(objects, Stream.concat(Stream.of(Line.heading(heading)), rows).toList());
  }
}
