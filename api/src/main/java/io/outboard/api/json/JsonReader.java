// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON text (RFC 8259) from somebody who may mean harm. */
final class JsonReader {
  /** How deep arrays and objects may be in each other. */
  static final int MOST_DEEP = 32;

  /** No number of ours is longer; a longer one could cost a lot of time. */
  private static final int LONGEST_NUMBER = 40;

  /** Nor has one more zeros, which a short text can ask for. */
  private static final int MOST_SCALE = 99;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_DEEP)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final JsonParser parser;

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /** The value of a text. */
  static Object read(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      Object value = new JsonReader(parser).next();
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("something follows the value");
      }
      return value;
    } catch (JsonProcessingException e) {
      JsonLocation where = e.getLocation();
      String place = where == null ? "" : " in line %d".formatted(where.getLineNr());
      throw new IllegalArgumentException(words(e) + place, e);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The parser's reason, without its words about itself. */
  private static String words(JsonProcessingException e) {
    return e.getOriginalMessage().split("\n| \\(start marker at", 2)[0];
  }

  private Object next() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new IllegalArgumentException("the text is empty");
    }
    return value(token);
  }

  private Object value(JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array();
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      case VALUE_NULL -> null;
      default -> number(parser.getDecimalValue());
    };
  }

  private Map<String, Object> object() throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      fields.put(name, next());
    }
    return fields;
  }

  private List<Object> array() throws IOException {
    List<Object> values = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      values.add(value(token));
    }
    return values;
  }

  private static Object number(BigDecimal number) {
    if (Math.abs(number.scale()) > MOST_SCALE) {
      throw new IllegalArgumentException("a number with too large an exponent");
    }
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      return number;
    }
  }
}
