// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.wire.Printable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * Named values as a line of text ({@code application/x-www-form-urlencoded}): the requests and rows
 * of a control connection (PROTOCOL.md, Control).
 */
public final class Form {
  private final SequencedMap<String, String> values = new LinkedHashMap<>();

  /** Sets a value. */
  public Form with(String name, Object value) {
    values.put(name, value.toString());
    return this;
  }

  /** A value, empty where it is not there. */
  public String get(String name) {
    return values.getOrDefault(name, "");
  }

  /** A value, another one where it is not there. */
  public String get(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /** Words with a space between, none where there are none. */
  public List<String> words(String name) {
    String text = get(name);
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  /**
   * A number.
   *
   * @throws IllegalArgumentException if it is none
   */
  public long number(String name, long otherwise) {
    String text = get(name);
    try {
      return text.isEmpty() ? otherwise : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is a number, not '" + text + "'", e);
    }
  }

  /** All values, in their order. */
  public Map<String, String> values() {
    return Map.copyOf(values);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(value -> encode(value.getKey()) + "=" + encode(value.getValue()))
        .collect(Collectors.joining("&"));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Form parse(String line) {
    Form form = new Form();
    for (String part : line.isEmpty() ? new String[0] : line.split("&")) {
      int middle = part.indexOf('=');
      if (middle < 0) {
        throw new IllegalArgumentException("'" + part + "' is no name with a value");
      }
      form.with(decode(part.substring(0, middle)), decode(part.substring(middle + 1)));
    }
    return form;
  }

  /** The same with values that steer no terminal, of somebody who may mean harm. */
  public Form printable() {
    Form plain = new Form();
    values.forEach((name, value) -> plain.with(name, Printable.of(value)));
    return plain;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
