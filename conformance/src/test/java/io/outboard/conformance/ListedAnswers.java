// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A list of what is answered in another way through Outboard: a line is a name, the answer of the
 * library itself, ours, and why. A change that makes one of them equal removes it from the list.
 */
final class ListedAnswers {
  private static final String BETWEEN = ": ";

  /** Why an answer is another one. */
  @FunctionalInterface
  interface Reason {
    /** In words. */
    String of(String name, String theirs, String ours);
  }

  private final Path list;
  private final Reason reason;

  ListedAnswers(Path list, Reason reason) {
    this.list = list;
    this.reason = reason;
  }

  /** Answers by their names, of lines {@code name: answer}; what comes first is a comment. */
  static Map<String, String> read(List<String> lines) {
    Map<String, String> answers = new LinkedHashMap<>();
    for (String line : lines) {
      int end = line.lastIndexOf(BETWEEN);
      if (end >= 0 && !line.startsWith("#")) {
        answers.put(line.substring(0, end), line.substring(end + BETWEEN.length()));
      }
    }
    return answers;
  }

  /** The lines of what differs among the names that both have. */
  Map<String, String> between(Map<String, String> theirs, Map<String, String> ours) {
    Map<String, String> lines = new LinkedHashMap<>();
    ours.forEach(
        (name, here) -> {
          String there = theirs.get(name);
          if (there != null && !there.equals(here)) {
            String why = reason.of(name, there, here);
            lines.put(name, name + BETWEEN + there + ", " + here + BETWEEN + why);
          }
        });
    return lines;
  }

  /**
   * Answers that are not as listed, by names that were asked for; the list is another one if so
   * wished.
   */
  Map<String, String> unlisted(Map<String, String> differences, Map<String, String> asked)
      throws IOException {
    if (Boolean.getBoolean(Committed.UPDATE)) {
      Files.writeString(
          list,
          differences.values().stream().map(line -> line + "\n").collect(Collectors.joining()));
    }
    Map<String, String> other = new LinkedHashMap<>(differences);
    for (String line : Files.readAllLines(list)) {
      String name = line.substring(0, line.indexOf(BETWEEN));
      if (!other.remove(name, line) && asked.containsKey(name)) {
        other.put(name, "listed: " + line);
      }
    }
    return other;
  }

  /** Holds that all differences are listed, and all that is listed differs. */
  void check(Map<String, String> theirs, Map<String, String> ours) throws IOException {
    assertEquals(Map.of(), unlisted(between(theirs, ours), ours), "run with -D" + Committed.UPDATE);
  }

  /** How many of each reason the list has, with one of them, as rows of a table. */
  String table() throws IOException {
    SortedMap<String, List<String>> reasons =
        Files.readAllLines(list).stream()
            .collect(
                Collectors.groupingBy(
                    line -> line.substring(line.lastIndexOf(BETWEEN) + BETWEEN.length()),
                    TreeMap::new,
                    Collectors.toList()));
    return reasons.entrySet().stream()
        .map(
            entry ->
                "| %s | %d | `%s` |%n"
                    .formatted(
                        entry.getKey(),
                        entry.getValue().size(),
                        entry
                            .getValue()
                            .get(entry.getValue().size() / 2)
                            .replaceFirst(BETWEEN + "[^:]*$", "")))
        .collect(Collectors.joining());
  }

  /** How many are listed. */
  int count() throws IOException {
    return Files.readAllLines(list).size();
  }
}
