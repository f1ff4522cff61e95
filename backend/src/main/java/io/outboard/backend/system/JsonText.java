// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.stream.Collectors;

/** Text as a string of JSON (RFC 8259, 7). */
public final class JsonText {
  private JsonText() {}

  /** The text in quotes; quotes, backslashes, control characters and surrogates are escaped. */
  public static String quoted(String text) {
    return text.chars().mapToObj(JsonText::escaped).collect(Collectors.joining("", "\"", "\""));
  }

  private static String escaped(int unit) {
    if (unit == '"' || unit == '\\') {
      return "\\" + (char) unit;
    }
    boolean plain = !Character.isISOControl(unit) && !Character.isSurrogate((char) unit);
    return plain ? Character.toString((char) unit) : "\\u%04x".formatted(unit);
  }
}
