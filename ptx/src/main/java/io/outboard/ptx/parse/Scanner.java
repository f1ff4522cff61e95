// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.host.PtxException;

/** Reads the characters of a PTX text; keeps line and column. */
final class Scanner {
  private final String text;
  private int position;
  private int line = 1;
  private int lineStart;

  Scanner(String text) {
    int end = text.indexOf('\0');
    this.text = end < 0 ? text : text.substring(0, end);
  }

  int line() {
    return line;
  }

  int column() {
    return position - lineStart + 1;
  }

  PtxException error(String message) {
    return new PtxException(line + ":" + column() + ": " + message);
  }

  /** Skips white space and comments. */
  void skip() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c == '\n') {
        newLine();
      } else if (c == '/' && at(1) == '/') {
        skipLine();
      } else if (c == '/' && at(1) == '*') {
        skipComment();
      } else if (c > ' ') {
        return;
      } else {
        position++;
      }
    }
  }

  private void newLine() {
    position++;
    line++;
    lineStart = position;
  }

  /** Skips to the end of the line. */
  void skipLine() {
    int end = text.indexOf('\n', position);
    position = end < 0 ? text.length() : end;
  }

  private void skipComment() {
    int end = text.indexOf("*/", position + 2);
    if (end < 0) {
      throw error("comment without end");
    }
    skipTo(end + 2);
  }

  /** Skips everything up to and with the next {@code c}. */
  void skipPast(char c) {
    int found = text.indexOf(c, position);
    if (found < 0) {
      throw error("expected '" + c + "', found the end of the text");
    }
    skipTo(found + 1);
  }

  private void skipTo(int end) {
    while (position < end) {
      if (text.charAt(position) == '\n') {
        newLine();
      } else {
        position++;
      }
    }
  }

  private char at(int distance) {
    int i = position + distance;
    return i < text.length() ? text.charAt(i) : '\0';
  }

  /** The next character that is not white space; NUL at the end. */
  char peek() {
    skip();
    return at(0);
  }

  boolean atEnd() {
    return peek() == '\0';
  }

  boolean accept(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) {
      throw error("expected '" + c + "', found " + found());
    }
  }

  private String found() {
    return position >= text.length() ? "the end of the text" : "'" + text.charAt(position) + "'";
  }

  /** Takes the next character that is not white space; NUL at the end. */
  char next() {
    char c = peek();
    position += c == '\0' ? 0 : 1;
    return c;
  }

  /** Whether a label's colon follows (and not the two of a qualifier). */
  boolean acceptColon() {
    if (peek() != ':' || at(1) == ':') {
      return false;
    }
    position++;
    return true;
  }

  static boolean startsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
  }

  private static boolean continuesName(char c) {
    return startsName(c) || (c >= '0' && c <= '9');
  }

  /** A name; special registers keep their component, as in {@code %tid.x}. */
  String name() {
    if (!startsName(peek())) {
      throw error("expected a name, found " + found());
    }
    int start = position++;
    while (continuesName(at(0)) || (at(0) == '.' && text.charAt(start) == '%')) {
      position++;
    }
    return text.substring(start, position);
  }

  /** One directive, modifier or opcode part: letters, digits, underscores and {@code ::}. */
  String word() {
    int start = position;
    while (continuesName(at(0)) || (at(0) == ':' && (at(1) == ':' || at(-1) == ':'))) {
      position++;
    }
    if (start == position) {
      throw error("expected a word, found " + found());
    }
    return text.substring(start, position);
  }

  /** The word after a dot. */
  String directive() {
    expect('.');
    return word();
  }

  /** Whether a dot follows at once; it is consumed. */
  boolean acceptAdjoiningDot() {
    if (at(0) != '.') {
      return false;
    }
    position++;
    return true;
  }

  /** Whether the directive {@code word} follows; it is consumed. */
  boolean acceptDirective(String word) {
    boolean follows = peek() == '.' && text.startsWith(word, position + 1);
    follows = follows && !continuesName(at(word.length() + 1));
    position += follows ? word.length() + 1 : 0;
    return follows;
  }

  /** The characters of a number without sign. */
  String number() {
    skip();
    int start = position;
    while (continuesNumber(start)) {
      position++;
    }
    if (start == position) {
      throw error("expected a number, found " + found());
    }
    return text.substring(start, position);
  }

  private boolean continuesNumber(int start) {
    char c = at(0);
    boolean decimal = at(start - position + 1) != 'x' && at(start - position + 1) != 'f';
    return (continuesName(c) && c != '%' && c != '$')
        || c == '.'
        || (decimal && (c == '+' || c == '-') && (at(-1) == 'e' || at(-1) == 'E'));
  }

  /** The contents of a string in quotes, without escapes. */
  String quoted() {
    expect('"');
    int end = text.indexOf('"', position);
    if (end < 0) {
      throw error("string without end");
    }
    String inner = text.substring(position, end);
    skipTo(end + 1);
    return inner;
  }
}
