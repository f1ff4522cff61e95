// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import io.outboard.cli.command.Line;
import java.util.regex.Pattern;

/**
 * A line of {@code top}, which fits.
 *
 * @param kind how a terminal with colours shows it
 */
record TopLine(String text, Line.Kind kind) {
  /** Columns of a line. */
  static final int WIDTH = 80;

  private static final String MORE = "…";
  private static final Pattern BAR = Pattern.compile("#+");

  /** Cuts it to its width. */
  TopLine {
    text = fit(text.stripTrailing(), WIDTH);
  }

  /** A text in so many columns at most; one that is longer ends with an ellipsis. */
  static String fit(String text, int columns) {
    return text.codePointCount(0, text.length()) <= columns
        ? text
        : text.substring(0, text.offsetByCodePoints(0, columns - 1)) + MORE;
  }

  /** The same on a narrower terminal. */
  TopLine cut(int columns) {
    return new TopLine(fit(text, columns), kind);
  }

  /** With its colour; bars are green (ECMA-48, 8.3.117). */
  String coloured() {
    return kind == Line.Kind.ROW
        ? BAR.matcher(text).replaceAll("\033[32m$0\033[0m")
        : line().coloured();
  }

  /** As any command prints it. */
  Line line() {
    return new Line(text, kind);
  }
}
