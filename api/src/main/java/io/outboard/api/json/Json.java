// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.json;

import io.outboard.backend.system.JsonText;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * JSON text (RFC 8259) of values: {@link Map}s with texts as keys, {@link List}s, {@link String}s,
 * {@link Number}s, {@link Boolean}s and null.
 */
public final class Json {
  private Json() {}

  /**
   * Reads a value; whole numbers are {@link Long}s where they fit, others {@link BigDecimal}s.
   *
   * @throws IllegalArgumentException if the text is none, an object has a name twice, or it is
   *     nested deeper than {@link JsonReader#MOST_DEEP}
   */
  public static Object read(String text) {
    return JsonReader.read(text);
  }

  /** Writes a value. */
  public static String write(Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> text(text);
      case Boolean flag -> flag.toString();
      case Number number -> number.toString();
      case Map<?, ?> object ->
          object.entrySet().stream()
              .map(field -> text(field.getKey().toString()) + ": " + write(field.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case List<?> array ->
          array.stream().map(Json::write).collect(Collectors.joining(", ", "[", "]"));
      default -> throw new IllegalArgumentException("no JSON is of " + value.getClass());
    };
  }

  /** Text as a string, quoted (RFC 8259, 7). */
  public static String text(String text) {
    return JsonText.quoted(text);
  }
}
