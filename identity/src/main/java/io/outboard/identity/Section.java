// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of the file: {@code [KIND NAME]}, and below it a line {@code key = value} for each value.
 * A number sign begins a line that is a comment.
 *
 * @param kind what it is about
 * @param name which one
 * @param line at which it begins
 * @param values by their keys
 */
record Section(String kind, String name, int line, Map<String, String> values) {
  /** Sections of a file. */
  private static final int MOST = 1_000;

  private static final Pattern HEAD =
      Pattern.compile("\\[([a-z]+)\\s+([A-Za-z0-9][A-Za-z0-9 ._-]{0,63})\\]");
  private static final Pattern VALUE = Pattern.compile("([A-Za-z][^=\\s]*)\\s*=\\s*(\\S.*)");

  /** A mistake in the file. */
  IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException("line %d, [%s %s]: %s".formatted(line, kind, name, why));
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if a line is none of these, or a key is there twice
   */
  static List<Section> parse(String text) {
    List<Section> sections = new ArrayList<>();
    int number = 0;
    for (String whole : text.lines().toList()) {
      number++;
      String line = whole.strip();
      Matcher head = HEAD.matcher(line);
      if (head.matches()) {
        SequencedMap<String, String> none = new LinkedHashMap<>();
        sections.add(new Section(head.group(1), head.group(2).strip(), number, none));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        add(sections, line, number);
      }
    }
    if (sections.size() > MOST) {
      throw new IllegalArgumentException("there are more than %d sections".formatted(MOST));
    }
    return sections;
  }

  private static void add(List<Section> sections, String line, int number) {
    Matcher value = VALUE.matcher(line);
    if (sections.isEmpty() || !value.matches()) {
      throw new IllegalArgumentException(
          "line %d is no [KIND NAME], and no 'key = value' below one".formatted(number));
    }
    if (sections.getLast().values().put(value.group(1), value.group(2)) != null) {
      throw new IllegalArgumentException(
          "line %d: '%s' is there twice".formatted(number, value.group(1)));
    }
  }
}
