// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Colours of terminals. */
final class TerminalTest {
  @Test
  void colourIsForTerminalsThatHaveItAndUsersWhoWantIt() {
    assertTrue(Terminal.hasColours(Map.of("TERM", "xterm", "NO_COLOR", "")));
    assertFalse(Terminal.hasColours(Map.of("TERM", "xterm", "NO_COLOR", "1")));
    assertFalse(Terminal.hasColours(Map.of("TERM", "dumb")));
    assertFalse(Terminal.hasColours(Map.of()));
  }

  @Test
  void plainLinesHaveNoSequences() {
    assertEquals("all is well", Line.row("all is well").coloured());
    assertEquals("\033[1mlease\033[0m", Line.heading("lease   ").coloured());
    assertEquals("\033[31mFAIL\033[0m", new Line("FAIL", Line.Kind.ALARM).coloured());
  }
}
