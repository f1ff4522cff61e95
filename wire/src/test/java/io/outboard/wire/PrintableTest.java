// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrintableTest {
  @ParameterizedTest
  @ValueSource(
      ints = {0, '\n', '\r', '\t', 0x1b, 0x7f, 0x85, 0x9b, 0x2028, 0x2029, 0x202e, 0x2066, 0xd800})
  void whatSteersATerminalIsGone(int c) {
    assertEquals("a?b", Printable.of("a" + Character.toString(c) + "b"));
  }

  @Test
  void otherTextStays() {
    String text = "Grüße \u200d µ 😀 'a' %1b";
    assertEquals(text, Printable.of(text));
  }
}
