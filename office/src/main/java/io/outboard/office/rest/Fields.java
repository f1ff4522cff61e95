// SPDX-License-Identifier: Apache-2.0
package io.outboard.office.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Request;
import io.outboard.api.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An object of JSON that a server has sent. A field that is missing, or of another type, is empty:
 * what is absent grants nothing.
 *
 * @param values by name
 */
public record Fields(Map<?, ?> values) {
  /** None. */
  public static final Fields NONE = new Fields(Map.of());

  private static final Pattern UUID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /**
   * Reads a text; an empty one is {@link #NONE}.
   *
   * @throws IllegalArgumentException if it is no object of JSON
   */
  public static Fields read(String text) {
    if (text.isBlank()) {
      return NONE;
    }
    if (Json.read(text) instanceof Map<?, ?> object) {
      return new Fields(object);
    }
    throw new IllegalArgumentException("it is no object of JSON");
  }

  /**
   * The object that a request brings.
   *
   * @throws Problem if it is too long, or brings another one
   */
  public static Fields of(Request request) throws Problem {
    if (request.isTooLarge()) {
      throw new Problem(Problem.TOO_LARGE, "the body is too long");
    }
    try {
      return read(new String(request.body(), UTF_8));
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, e.getMessage());
    }
  }

  /** A text; empty where there is none. */
  public String text(String name) {
    return values.get(name) instanceof String text ? text : "";
  }

  /** A UUID, as services write it; empty where there is none. */
  public String uuid(String name) {
    return UUID.matcher(text(name)).matches() ? text(name) : "";
  }

  /** A whole number. */
  public Optional<Long> number(String name) {
    return values.get(name) instanceof Long number ? Optional.of(number) : Optional.empty();
  }

  /** A whole number, or 0. */
  public long count(String name) {
    return number(name).orElse(0L);
  }

  /** A number, or 0. */
  public BigDecimal decimal(String name) {
    return values.get(name) instanceof Number number
        ? new BigDecimal(number.toString())
        : BigDecimal.ZERO;
  }

  /** Whether it is true. */
  public boolean flag(String name) {
    return Boolean.TRUE.equals(values.get(name));
  }

  /** An object, or {@link #NONE}. */
  public Fields object(String name) {
    return values.get(name) instanceof Map<?, ?> object ? new Fields(object) : NONE;
  }

  /** The objects of an array. */
  public List<Fields> objects(String name) {
    List<Fields> found = new ArrayList<>();
    for (Object one : array(name)) {
      if (one instanceof Map<?, ?> object) {
        found.add(new Fields(object));
      }
    }
    return found;
  }

  /** The texts of an array. */
  public List<String> texts(String name) {
    List<String> found = new ArrayList<>();
    for (Object one : array(name)) {
      if (one instanceof String text) {
        found.add(text);
      }
    }
    return found;
  }

  private List<?> array(String name) {
    return values.get(name) instanceof List<?> list ? list : List.of();
  }

  /** The names of the fields. */
  public List<String> names() {
    return values.keySet().stream().map(Object::toString).toList();
  }
}
