// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one JSON text (RFC 8259) from somebody who may mean harm. */
final class JsonReader {
  /** How deep arrays and objects may be in each other. */
  static final int MOST_DEEP = 32;

  /** No number of ours is longer; a longer one could cost a lot of time. */
  private static final int LONGEST_NUMBER = 40;

  private static final int HEX = 16;
  private static final int UNIT_DIGITS = 4;
  private static final int MOST_EXPONENT = 99;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?(?<exponent>[0-9]+))?");

  private final String text;
  private int at;
  private int depth;

  JsonReader(String text) {
    this.text = text;
  }

  /** The value. */
  Object read() {
    Object value = value();
    skipSpace();
    if (at < text.length()) {
      throw wrong("something follows the value");
    }
    return value;
  }

  private Object value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw wrong("the text ends too early");
    }
    return text.charAt(at);
  }

  private void enter() {
    at++;
    depth++;
    if (depth > MOST_DEEP) {
      throw wrong("it is nested too deeply");
    }
  }

  /** Whether there is a next one, after the first; else the end has been read. */
  private boolean next(char end) {
    skipSpace();
    char found = peek();
    if (found != ',' && found != end) {
      throw wrong("a comma or '" + end + "' is missing");
    }
    at++;
    if (found == end) {
      depth--;
    }
    return found == ',';
  }

  /** Whether it is empty, whose end has been read then. */
  private boolean empty(char end) {
    skipSpace();
    if (peek() != end) {
      return false;
    }
    at++;
    depth--;
    return true;
  }

  private Map<String, Object> object() {
    Map<String, Object> fields = new LinkedHashMap<>();
    enter();
    if (empty('}')) {
      return fields;
    }
    do {
      skipSpace();
      String name = string();
      skipSpace();
      expect(':');
      if (fields.containsKey(name)) {
        throw wrong("an object has a name twice");
      }
      fields.put(name, value());
    } while (next('}'));
    return fields;
  }

  private List<Object> array() {
    List<Object> values = new ArrayList<>();
    enter();
    if (empty(']')) {
      return values;
    }
    do {
      values.add(value());
    } while (next(']'));
    return values;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("'" + wanted + "' is missing");
    }
    at++;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    for (char unit = peek(); unit != '"'; unit = peek()) {
      at++;
      if (unit < ' ') {
        throw wrong("a string has a control character");
      }
      string.append(unit == '\\' ? escaped() : unit);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char kind = peek();
    at++;
    return switch (kind) {
      case '"', '\\', '/' -> kind;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unit();
      default -> throw wrong("a string has an escape that there is not");
    };
  }

  private char unit() {
    int value = 0;
    for (int i = 0; i < UNIT_DIGITS; i++) {
      int digit = Character.digit(peek(), HEX);
      if (digit < 0) {
        throw wrong("\\u wants four hexadecimal digits");
      }
      value = value * HEX + digit;
      at++;
    }
    return (char) value;
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong("it is no value");
    }
    at += word.length();
    return value;
  }

  private Number number() {
    Matcher number = NUMBER.matcher(text).region(at, Math.min(text.length(), at + LONGEST_NUMBER));
    if (!number.lookingAt()) {
      throw wrong("it is no value");
    }
    at = number.end();
    if (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
      throw wrong("a number is too long, or none");
    }
    String exponent = number.group("exponent");
    if (exponent != null && new BigDecimal(exponent).compareTo(MOST) > 0) {
      throw wrong("a number is too large, or too small");
    }
    return whole(new BigDecimal(number.group()));
  }

  private static final BigDecimal MOST = BigDecimal.valueOf(MOST_EXPONENT);

  private static Number whole(BigDecimal number) {
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      // It has a fraction, or is larger.
      return number;
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("%s, at character %d".formatted(what, at + 1));
  }
}
