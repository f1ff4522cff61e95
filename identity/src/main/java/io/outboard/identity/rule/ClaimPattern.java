// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of a claim: a text in which {@code {name}} stands for a part, which has that name then. A
 * part has ASCII letters, digits and {@code ._@+-} alone, so that it spans no separator of a URN or
 * a path, and nothing that only looks like a letter is one. All else is compared character by
 * character.
 */
public final class ClaimPattern {
  private static final Pattern PLACE = Pattern.compile("\\{([a-z][a-z0-9]{0,31})\\}");
  private static final String PART = "([A-Za-z0-9._@+-]+)";

  /** Parts of a pattern; more would take long to look for. */
  private static final int MOST_PARTS = 3;

  private final String text;
  private final Pattern form;
  private final List<String> names;

  private ClaimPattern(String text, Pattern form, List<String> names) {
    this.text = text;
    this.form = form;
    this.names = List.copyOf(names);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ClaimPattern parse(String text) {
    StringBuilder form = new StringBuilder();
    List<String> names = new ArrayList<>();
    Matcher place = PLACE.matcher(text);
    int from = 0;
    while (place.find()) {
      if (place.start() == from && from > 0) {
        throw new IllegalArgumentException("between two parts of a value there is something");
      }
      form.append(literal(text.substring(from, place.start()))).append(PART);
      names.add(place.group(1));
      from = place.end();
    }
    form.append(literal(text.substring(from)));
    check(text, names);
    return new ClaimPattern(text, Pattern.compile(form.toString()), names);
  }

  private static String literal(String text) {
    if (text.contains("{") || text.contains("}")) {
      throw new IllegalArgumentException("a brace belongs to a part, as {vo}: " + text);
    }
    return Pattern.quote(text);
  }

  private static void check(String text, List<String> names) {
    if (text.isEmpty() || text.length() > Claims.LONGEST) {
      throw new IllegalArgumentException(
          "a value has 1 to %d characters".formatted(Claims.LONGEST));
    }
    if (names.size() > MOST_PARTS || names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException(
          "a value has at most %d parts, each with a name of its own".formatted(MOST_PARTS));
    }
  }

  /** The names of its parts. */
  List<String> names() {
    return names;
  }

  /** The parts of a value that is as this says. */
  Optional<Map<String, String>> match(String value) {
    Matcher whole = form.matcher(value);
    if (!whole.matches()) {
      return Optional.empty();
    }
    SequencedMap<String, String> parts = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      parts.put(names.get(i), whole.group(i + 1));
    }
    return Optional.of(parts);
  }

  @Override
  public String toString() {
    return text;
  }
}
