// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

/**
 * A line that a command prints.
 *
 * @param kind how a terminal with colours shows it
 */
public record Line(String text, Kind kind) {
  /** Kinds of lines, with their sequences of ECMA-48, 8.3.117; plain ones have none. */
  public enum Kind {
    /** Above a table: bold. */
    HEADING("\033[1m"),
    /** As all is well. */
    ROW(""),
    /** Wants a look: yellow. */
    NOTICE("\033[33m"),
    /** Something is wrong: red. */
    ALARM("\033[31m");

    private static final String USUAL = "\033[0m";
    private final String begin;

    Kind(String begin) {
      this.begin = begin;
    }
  }

  /** One that stands above a table. */
  public static Line heading(String text) {
    return new Line(text.stripTrailing(), Kind.HEADING);
  }

  /** One of a table, or any other. */
  public static Line row(String text) {
    return new Line(text, Kind.ROW);
  }

  /** With its colour. */
  public String coloured() {
    return kind.begin.isEmpty() ? text : kind.begin + text + Kind.USUAL;
  }
}
