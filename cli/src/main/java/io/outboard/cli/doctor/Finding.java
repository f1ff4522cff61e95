// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Line;
import java.util.Map;

/**
 * One thing that was looked at.
 *
 * @param text what was found, and what would help
 */
public record Finding(Grade grade, String text) {
  /** How bad it is. */
  public enum Grade {
    /** As it should be. */
    GOOD("ok", Line.Kind.ROW),
    /** May be meant so, or may show only when the program runs. */
    DOUBTFUL("note", Line.Kind.NOTICE),
    /** Programs do not run. */
    BAD("FAIL", Line.Kind.ALARM);

    private final String word;
    private final Line.Kind kind;

    Grade(String word, Line.Kind kind) {
      this.word = word;
      this.kind = kind;
    }
  }

  /** As it should be. */
  public static Finding good(String text) {
    return new Finding(Grade.GOOD, text);
  }

  /** Perhaps meant so. */
  public static Finding doubtful(String text) {
    return new Finding(Grade.DOUBTFUL, text);
  }

  /** Keeps programs from running. */
  public static Finding bad(String text) {
    return new Finding(Grade.BAD, text);
  }

  /** Whether it keeps programs from running. */
  public boolean isBad() {
    return grade == Grade.BAD;
  }

  /** An object of JSON. */
  Map<String, Object> json() {
    return Ordered.of("grade", grade.word, "text", text);
  }

  /** The line as a terminal shows it. */
  Line shown() {
    return new Line(line(), grade.kind);
  }

  /** A line for people. */
  public String line() {
    return "%-5s %s".formatted(grade.word, text);
  }
}
