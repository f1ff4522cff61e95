// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** A place in a signature, which moves on as it is read: see {@link CallText}. */
final class Signature {
  private final String text;
  private int at;

  Signature(String text) {
    this.text = text;
  }

  /**
   * A type.
   *
   * @param code its letter
   * @param kinds those of a handle, as they stand there
   * @param structure the number of a structure
   */
  record Type(char code, String kinds, int structure) {}

  /** The text before a character, which is read too. */
  String until(char end) {
    int from = at;
    at = text.indexOf(end, at) + 1;
    return text.substring(from, at - 1);
  }

  /** Whether a character comes next. */
  boolean sees(char expected) {
    return text.charAt(at) == expected;
  }

  /** Reads a character if it comes next. */
  boolean takes(char expected) {
    boolean there = sees(expected);
    at += there ? 1 : 0;
    return there;
  }

  /** Reads one of these characters; 0 if none of them comes next. */
  char mark(String marks) {
    char next = text.charAt(at);
    boolean there = marks.indexOf(next) >= 0;
    at += there ? 1 : 0;
    return there ? next : 0;
  }

  int number() {
    int from = at;
    at += sees('-') ? 1 : 0;
    while (Character.isDigit(text.charAt(at))) {
      at++;
    }
    return Integer.parseInt(text, from, at, 10);
  }

  Type type() {
    char code = text.charAt(at++);
    return switch (code) {
      case 'h' -> new Type(code, until('.'), 0);
      case 'S' -> new Type(code, "", Integer.parseInt(until('.')));
      default -> new Type(code, "", 0);
    };
  }
}
