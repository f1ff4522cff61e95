// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.api.json.Ordered;
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
    GOOD("ok"),
    /** May be meant so, or may show only when the program runs. */
    DOUBTFUL("note"),
    /** Programs do not run. */
    BAD("FAIL");

    private final String word;

    Grade(String word) {
      this.word = word;
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

  /** A line for people. */
  public String line() {
    return "%-5s %s".formatted(grade.word, text);
  }
}
