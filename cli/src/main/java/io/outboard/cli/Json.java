// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import java.util.stream.Collectors;

/** The part of JSON that is printed here (RFC 8259, 7 "Strings"). */
final class Json {
  private Json() {}

  /** Text as a string, quoted. */
  static String text(String text) {
    return text.chars().mapToObj(Json::escaped).collect(Collectors.joining("", "\"", "\""));
  }

  private static String escaped(int unit) {
    if (unit == '"' || unit == '\\') {
      return "\\" + (char) unit;
    }
    return unit < ' ' ? "\\u%04x".formatted(unit) : Character.toString((char) unit);
  }
}
