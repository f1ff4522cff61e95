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
  private static final Pattern NEED =
      Pattern.compile("([a-z]+)(?::(\\d+))?(\\+lost)?(\\+late)?(\\+work)?(\\+kept)?");
  private static final Pattern RULE =
      Pattern.compile(
          "(?<turn>\\^{0,2})(?<name>\\w+)(?:(?<bits>&[0-9a-fx]+)?(?<numbers>=[0-9a-fx,-]+)?!(?<code>\\d+)(?:/(?<where>\\w+))?"
              + "|(?<open>[?~])|\\*(?<wrong>\\d+)(?:,(?<garbage>\\d+))?)");

  private static final Pattern CAPTURE =
      Pattern.compile("(?<which>-|[a-z]+)(?<late>\\+late)?(?:!(?<ends>\\d+))?");

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
    Matcher capture = CAPTURE.matcher(fields[2]);
    if (!capture.matches()) {
      throw new IOException(fields[0] + ": no captures: " + fields[2]);
    }
    String which = capture.group("which");
    String ends = capture.group("ends");
    Entry.Need what = Entry.Need.valueOf(need.group(1).toUpperCase(Locale.ROOT));
    return new Entry(
        what,
        need.group(2) == null ? usual(what) : Integer.parseInt(need.group(2)),
        need.group(3) != null,
        need.group(4) != null,
        need.group(5) != null,
        need.group(6) != null,
        which.equals("-") ? Entry.Capture.NONE : capture(which),
        capture.group("late") != null,
        ends == null ? 0 : Integer.parseInt(ends),
        fields.length < 4 ? List.of() : rules(fields[3]));
  }

  private static Entry.Capture capture(String word) {
    return Entry.Capture.valueOf(word.toUpperCase(Locale.ROOT));
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
      rules.add(rule(rule));
    }
    return List.copyOf(rules);
  }

  private static Entry.Rule rule(Matcher words) {
    String wrong = words.group("wrong");
    String garbage = words.group("garbage");
    return new Entry.Rule(
        words.group("name"),
        words.group("code") == null ? 0 : Integer.parseInt(words.group("code")),
        words.group("where") == null ? "" : words.group("where"),
        !"~".equals(words.group("open")),
        allowed(words.group("bits"), words.group("numbers")),
        wrong == null
            ? Entry.Wrong.USUAL
            : new Entry.Wrong(
                Integer.parseInt(wrong), Integer.parseInt(garbage == null ? wrong : garbage)),
        switch (words.group("turn")) {
          case "^" -> Entry.Turn.FIRST;
          case "^^" -> Entry.Turn.AT_ONCE;
          default -> Entry.Turn.USUAL;
        });
  }

  /** Bits alone are those that a number may have; with numbers, those that are compared. */
  private static List<Entry.Range> allowed(String bits, String numbers) {
    long mask = bits == null ? -1 : number(bits.substring(1));
    if (numbers == null) {
      return bits == null ? List.of() : List.of(new Entry.Range(0, 0, ~mask));
    }
    List<Entry.Range> ranges = new ArrayList<>();
    for (String range : numbers.substring(1).split(",", -1)) {
      String[] ends = range.split("-", -1);
      ranges.add(new Entry.Range(number(ends[0]), number(ends[ends.length - 1]), mask));
    }
    return List.copyOf(ranges);
  }

  private static long number(String text) {
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseLong(text);
  }
}
