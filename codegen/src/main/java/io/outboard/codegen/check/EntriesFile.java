// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the vendor's functions look at before they do anything: lines {@code function need capture
 * arguments}, separated by tabs. The file's own head says what the words mean.
 */
public final class EntriesFile {
  private static final Pattern NEED = Pattern.compile("([a-z]+)(?::(\\d+))?(\\+lost)?");
  private static final Pattern RULE =
      Pattern.compile("(\\w+)(?:([=&][0-9a-fx,-]+)?!(\\d+)(?:/(\\w+))?|([?~]))");

  private EntriesFile() {}

  /**
   * Reads the file.
   *
   * @throws IOException if it cannot be read or a line is not of that form
   */
  public static Map<String, Entry> read(Path file) throws IOException {
    Map<String, Entry> entries = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] fields = line.split("\t", -1);
        if (fields.length < 3 || entries.put(fields[0], parse(fields)) != null) {
          throw new IOException(file + ": not \"function need capture arguments\": " + line);
        }
      }
    }
    return Map.copyOf(entries);
  }

  private static Entry parse(String[] fields) throws IOException {
    Matcher need = NEED.matcher(fields[1]);
    if (!need.matches()) {
      throw new IOException(fields[0] + ": no need: " + fields[1]);
    }
    Entry.Need what = Entry.Need.valueOf(need.group(1).toUpperCase(Locale.ROOT));
    return new Entry(
        what,
        need.group(2) == null ? usual(what) : Integer.parseInt(need.group(2)),
        need.group(3) != null,
        fields[2].equals("-")
            ? Entry.Capture.NONE
            : Entry.Capture.valueOf(fields[2].toUpperCase(Locale.ROOT)),
        fields.length < 4 ? List.of() : rules(fields[3]));
  }

  private static int usual(Entry.Need need) {
    return switch (need) {
      case NOTHING -> 0;
      case QUIET -> 1;
      case DRIVER, CONTEXT, OLDER -> 3;
    };
  }

  private static List<Entry.Rule> rules(String words) throws IOException {
    List<Entry.Rule> rules = new ArrayList<>();
    for (String word : words.split(" ", -1)) {
      Matcher rule = RULE.matcher(word);
      if (!rule.matches()) {
        throw new IOException("no rule of an argument: " + word);
      }
      rules.add(
          new Entry.Rule(
              rule.group(1),
              rule.group(3) == null ? 0 : Integer.parseInt(rule.group(3)),
              rule.group(4) == null ? "" : rule.group(4),
              !"~".equals(rule.group(5)),
              rule.group(2) == null ? List.of() : allowed(rule.group(2))));
    }
    return List.copyOf(rules);
  }

  private static List<Entry.Range> allowed(String text) {
    List<Entry.Range> ranges = new ArrayList<>();
    for (String range : text.substring(1).split(",", -1)) {
      String[] ends = range.split("-", -1);
      ranges.add(
          new Entry.Range(number(ends[0]), number(ends[ends.length - 1]), text.startsWith("&")));
    }
    return List.copyOf(ranges);
  }

  private static long number(String text) {
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseLong(text);
  }
}
