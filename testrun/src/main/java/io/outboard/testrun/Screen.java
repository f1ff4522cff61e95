// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Where a person reads: lines that stay, and one that says how far the run is. A terminal redraws
 * that one; a log has it where nothing else came for {@link #SILENCE}.
 */
final class Screen {
  /** A log has a line after so long. */
  static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration REDRAW = Duration.ofSeconds(1);
  private static final String CLEAR = "\r\033[K";

  private final PrintStream out;
  private final int columns;
  private final InstantSource clock;
  private Instant last;
  private boolean isDrawn;

  /**
   * Makes one.
   *
   * @param columns those of the terminal; 0 if it is none
   */
  Screen(PrintStream out, int columns, InstantSource clock) {
    this.out = out;
    this.columns = columns;
    this.clock = clock;
    last = clock.instant();
  }

  /** Prints a line that stays. */
  void line(String text) {
    clear();
    out.println(text);
    out.flush();
    last = clock.instant();
  }

  /** Whether it is time to say how far the run is. */
  boolean isDue() {
    Duration since = Duration.between(last, clock.instant());
    return since.compareTo(columns > 0 && isDrawn ? REDRAW : columns > 0 ? Duration.ZERO : SILENCE)
        >= 0;
  }

  /** Says how far the run is. */
  void status(String text) {
    if (columns == 0) {
      line(text);
      return;
    }
    out.print(CLEAR + (text.length() < columns ? text : text.substring(0, columns - 1)));
    out.flush();
    isDrawn = true;
    last = clock.instant();
  }

  /** Leaves the terminal's line empty. */
  void clear() {
    if (isDrawn) {
      out.print(CLEAR);
      out.flush();
      isDrawn = false;
    }
  }

  /** Whether somebody stopped reading: a write failed. */
  boolean isClosed() {
    return out.checkError();
  }
}
