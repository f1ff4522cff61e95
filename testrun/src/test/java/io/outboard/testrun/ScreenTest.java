// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** {@link Screen}. */
final class ScreenTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  private Screen screen(int columns) {
    return new Screen(new PrintStream(shown, true, UTF_8), columns, () -> now);
  }

  @Test
  void aLogHasALineAfterSilence() {
    Screen log = screen(0);
    log.line("begins");
    now = now.plus(Screen.SILENCE).minusSeconds(1);
    assertFalse(log.isDue());
    now = now.plusSeconds(1);
    assertTrue(log.isDue());
    log.status("half");
    assertFalse(log.isDue());
    log.line("over");
    assertEquals("begins\nhalf\nover\n", shown.toString(UTF_8));
  }

  @Test
  void aTerminalRedrawsOneLineThatFits() {
    Screen terminal = screen(8);
    assertTrue(terminal.isDue());
    terminal.status("123456789");
    assertFalse(terminal.isDue());
    now = now.plusSeconds(1);
    assertTrue(terminal.isDue());
    terminal.line("stays");
    assertEquals("\r\033[K1234567\r\033[Kstays\n", shown.toString(UTF_8));
  }
}
