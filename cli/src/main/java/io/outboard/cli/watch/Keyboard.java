// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.OptionalInt;

/** Keys of a terminal, each as it is pressed, without waiting for the end of a line. */
final class Keyboard implements AutoCloseable {
  private final String before;

  private Keyboard(String before) {
    this.before = before;
  }

  /** Opens that of standard input; where this is no terminal no key is ever pressed. */
  static Keyboard open() {
    Keyboard keyboard = new Keyboard(stty("-g"));
    if (keyboard.isThere()) {
      String unused = stty("-icanon", "-echo");
    }
    return keyboard;
  }

  private boolean isThere() {
    return !before.isEmpty();
  }

  /** The key that was pressed, if one was. */
  OptionalInt pressed() {
    try {
      return isThere() && System.in.available() > 0
          ? OptionalInt.of(System.in.read())
          : OptionalInt.empty();
    } catch (IOException e) {
      return OptionalInt.empty();
    }
  }

  /** The terminal is as it was. */
  @Override
  public void close() {
    if (isThere()) {
      String unused = stty(before);
    }
  }

  private static String stty(String... words) {
    String[] command = new String[words.length + 1];
    command[0] = "stty";
    System.arraycopy(words, 0, command, 1, words.length);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Redirect.INHERIT)
              .redirectError(Redirect.DISCARD)
              .start();
      return new String(process.getInputStream().readAllBytes(), US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
