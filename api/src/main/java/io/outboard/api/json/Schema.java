// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.json;

import io.outboard.lease.Parameter;
import io.outboard.lease.Permitted;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The permitted form of a JSON value. It checks values, and describes itself in JSON Schema
 * (2020-12), as far as that is used here.
 */
public sealed interface Schema {
  /** In JSON Schema. */
  Map<String, Object> document();

  /** Tells what is wrong with a value, if anything is; {@code where} names it. */
  void check(String where, Object value, Consumer<String> wrong);

  /**
   * The value of a text in a URL.
   *
   * @throws IllegalArgumentException if it is none
   */
  default Object parse(String text) {
    return text;
  }

  /** Text. */
  record Text(int longest, Optional<Pattern> pattern, List<String> choices, String format)
      implements Schema {
    @Override
    public Map<String, Object> document() {
      SequencedMap<String, Object> document = new LinkedHashMap<>();
      document.put("type", "string");
      if (longest < Integer.MAX_VALUE) {
        document.put("maxLength", longest);
      }
      pattern.ifPresent(found -> document.put("pattern", "^" + found + "$"));
      if (!choices.isEmpty()) {
        document.put("enum", choices);
      }
      if (!format.isEmpty()) {
        document.put("format", format);
      }
      return document;
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (!(value instanceof String text)) {
        wrong.accept(where + " is a string");
      } else if (text.codePointCount(0, text.length()) > longest) {
        wrong.accept(where + " has at most " + longest + " characters");
      } else if (!choices.isEmpty() && !choices.contains(text)) {
        wrong.accept(where + " is one of " + String.join(", ", choices));
      } else if (pattern.filter(wanted -> !wanted.matcher(text).matches()).isPresent()) {
        wrong.accept(where + " matches " + pattern.get());
      }
    }
  }

  /** A whole number. */
  record Whole(long least, long most) implements Schema {
    @Override
    public Map<String, Object> document() {
      SequencedMap<String, Object> document = new LinkedHashMap<>();
      document.put("type", "integer");
      document.put("minimum", least);
      if (most < Long.MAX_VALUE) {
        document.put("maximum", most);
      }
      return document;
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (!(value instanceof Long number) || number < least || number > most) {
        wrong.accept("%s is a whole number from %d to %d".formatted(where, least, most));
      }
    }

    @Override
    public Object parse(String text) {
      return Long.valueOf(text);
    }
  }

  /** A number with at most three places, more than 0. */
  record Decimal(long most) implements Schema {
    private static final int PLACES = 3;

    @Override
    public Map<String, Object> document() {
      return Ordered.of(
          "type",
          "number",
          "exclusiveMinimum",
          0,
          "maximum",
          most,
          "multipleOf",
          BigDecimal.ONE.movePointLeft(PLACES));
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      boolean right =
          value instanceof Number number
              && new BigDecimal(number.toString()).signum() > 0
              && new BigDecimal(number.toString()).compareTo(BigDecimal.valueOf(most)) <= 0
              && new BigDecimal(number.toString()).stripTrailingZeros().scale() <= PLACES;
      if (!right) {
        wrong.accept("%s is more than 0 and at most %d, to three places".formatted(where, most));
      }
    }
  }

  /** Any number, that we say ourselves. */
  record Figure() implements Schema {
    @Override
    public Map<String, Object> document() {
      return Map.of("type", "number");
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (!(value instanceof Number)) {
        wrong.accept(where + " is a number");
      }
    }
  }

  /** True or false. */
  record Flag() implements Schema {
    @Override
    public Map<String, Object> document() {
      return Map.of("type", "boolean");
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (!(value instanceof Boolean)) {
        wrong.accept(where + " is true or false");
      }
    }

    @Override
    public Object parse(String text) {
      return switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw new IllegalArgumentException("it is true or false");
      };
    }
  }

  /** An array. */
  record Many(Schema of) implements Schema {
    @Override
    public Map<String, Object> document() {
      return Ordered.of("type", "array", "items", of.document());
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (value instanceof List<?> values) {
        values.forEach(one -> of.check("each of " + where, one, wrong));
      } else {
        wrong.accept(where + " is an array");
      }
    }
  }

  /** A value or null. */
  record Nullable(Schema of) implements Schema {
    @Override
    public Map<String, Object> document() {
      return Map.of("anyOf", List.of(of.document(), Map.of("type", "null")));
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (value != null) {
        of.check(where, value, wrong);
      }
    }
  }

  /** An object of any shape. */
  record Anything() implements Schema {
    @Override
    public Map<String, Object> document() {
      return Map.of("type", "object");
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (!(value instanceof Map)) {
        wrong.accept(where + " is an object");
      }
    }
  }

  /** An object of named values and no others, all of which say what they are. */
  final class Fields implements Schema {
    private record Field(Schema schema, String description, boolean needed) {}

    private final SequencedMap<String, Field> fields = new LinkedHashMap<>();

    /** With a value that must be there. */
    public Fields with(String name, Schema schema, String description) {
      fields.put(name, new Field(schema, description, true));
      return this;
    }

    /** With a value that may be missing. */
    public Fields may(String name, Schema schema, String description) {
      fields.put(name, new Field(schema, description, false));
      return this;
    }

    @Override
    public Map<String, Object> document() {
      SequencedMap<String, Object> properties = new LinkedHashMap<>();
      fields.forEach((name, field) -> properties.put(name, document(field)));
      List<String> needed =
          fields.entrySet().stream()
              .filter(field -> field.getValue().needed())
              .map(Map.Entry::getKey)
              .toList();
      SequencedMap<String, Object> document = new LinkedHashMap<>();
      document.put("type", "object");
      document.put("properties", properties);
      if (!needed.isEmpty()) {
        document.put("required", needed);
      }
      document.put("additionalProperties", false);
      return document;
    }

    private static Map<String, Object> document(Field field) {
      SequencedMap<String, Object> document = new LinkedHashMap<>(field.schema().document());
      document.put("description", field.description());
      return document;
    }

    @Override
    public void check(String where, Object value, Consumer<String> wrong) {
      if (!(value instanceof Map<?, ?> object)) {
        wrong.accept(where + " is an object");
        return;
      }
      fields.forEach(
          (name, field) -> {
            if (object.containsKey(name)) {
              field.schema().check(name, object.get(name), wrong);
            } else if (field.needed()) {
              wrong.accept(name + " is missing");
            }
          });
      object.keySet().stream()
          .filter(name -> !fields.containsKey(name))
          .forEach(name -> wrong.accept("there is no '" + name + "'"));
    }
  }

  /** What the pool permits of something that a request says. */
  static Schema of(Parameter parameter) {
    return switch (parameter.permitted()) {
      case Permitted.Whole(long least, long most) -> new Whole(least, most);
      case Permitted.Text(int longest, Optional<Pattern> pattern, String _) ->
          new Text(longest, pattern, List.of(), "");
      case Permitted.Choice(List<String> words) -> oneOf(words);
    };
  }

  /** Text of at most so many characters. */
  static Text text(int longest) {
    return new Text(longest, Optional.empty(), List.of(), "");
  }

  /** Text of any length, which we say ourselves. */
  static Text text() {
    return text(Integer.MAX_VALUE);
  }

  /** One of some texts. */
  static Text oneOf(List<String> choices) {
    return new Text(Integer.MAX_VALUE, Optional.empty(), choices, "");
  }

  /** A moment (RFC 3339). */
  static Text moment() {
    return new Text(Integer.MAX_VALUE, Optional.empty(), List.of(), "date-time");
  }

  /** A count. */
  static Whole count() {
    return new Whole(0, Long.MAX_VALUE);
  }
}
