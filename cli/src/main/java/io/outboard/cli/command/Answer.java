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
public record Answer(Object json, List<String> lines) {
  /** Copies the lines. */
  public Answer {
    lines = List.copyOf(lines);
  }

  /** One object, and the line that tells it. */
  public Answer(Object json, String line) {
    this(json, List.of(line));
  }

  /** Objects, and a table of them. */
  public static Answer table(
      List<Map<String, Object>> objects, String heading, Stream<String> rows) {
    return new Answer(objects, Stream.concat(Stream.of(heading.stripTrailing()), rows).toList());
  }
}
