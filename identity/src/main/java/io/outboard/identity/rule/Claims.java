// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The facts about somebody that a source has verified.
 *
 * @param source which one: a provider's name, {@code keystone}, {@code kubernetes} or {@code nova}
 * @param subject the name there, which is nobody else's
 * @param values by name; a value of an object within has the names of both with a dot between
 */
public record Claims(String source, String subject, Map<String, List<String>> values) {
  /** Characters of a value; a longer one is as if it were not there. */
  public static final int LONGEST = 512;

  /** Values of all names; more are as if they were not there. */
  public static final int MOST = 1_000;

  private static final int DEEPEST = 4;

  /** A copy. */
  public Claims {
    SequencedMap<String, List<String>> copy = new LinkedHashMap<>();
    values.forEach((name, list) -> copy.put(name, List.copyOf(list)));
    values = copy;
  }

  /** Of an object of JSON; what is no text, number or flag, or a list of these, is left out. */
  public static Claims of(String source, String subject, Map<?, ?> object) {
    Collector all = new Collector();
    all.object("", object, 0);
    return new Claims(source, subject, all.values);
  }

  /** The values of a name. */
  List<String> of(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** Collects values within the bounds. */
  private static final class Collector {
    private final SequencedMap<String, List<String>> values = new LinkedHashMap<>();
    private int left = MOST;

    private void object(String before, Map<?, ?> object, int depth) {
      for (Map.Entry<?, ?> field : object.entrySet()) {
        add(before + field.getKey(), field.getValue(), depth);
      }
    }

    private void add(String name, Object value, int depth) {
      switch (value) {
        case String text -> add(name, text);
        case Long number -> add(name, number.toString());
        case Boolean flag -> add(name, flag.toString());
        case List<?> list when depth < DEEPEST -> list.forEach(one -> simple(name, one));
        case Map<?, ?> object when depth < DEEPEST -> object(name + ".", object, depth + 1);
        case null, default -> {}
      }
    }

    /** An element of a list; lists of objects have no names that a rule could say. */
    private void simple(String name, Object value) {
      if (value instanceof String text) {
        add(name, text);
      }
    }

    private void add(String name, String text) {
      if (left > 0 && text.length() <= LONGEST && name.length() <= LONGEST) {
        left--;
        values.computeIfAbsent(name, _ -> new ArrayList<>()).add(text);
      }
    }
  }
}
