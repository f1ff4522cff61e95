// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The values that something in a request may have. */
public sealed interface Permitted {
  /**
   * Checks a text.
   *
   * @param name of the value, for people
   * @throws IllegalArgumentException if it is none of these; the message says which are
   */
  void check(String name, String text);

  /** Whole numbers, both ends included. */
  record Whole(long least, long most) implements Permitted {
    @Override
    public void check(String name, String text) {
      check(name, number(name, text));
    }

    private long number(String name, String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(says(name) + ", not '" + text + "'", e);
      }
    }

    /**
     * Checks a number.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public void check(String name, long number) {
      if (!has(number)) {
        throw new IllegalArgumentException(says(name) + ", not " + number);
      }
    }

    /** Whether a number is one of these. */
    public boolean has(long number) {
      return least <= number && number <= most;
    }

    private String says(String name) {
      return "%s is a whole number from %d to %d".formatted(name, least, most);
    }
  }

  /**
   * Texts.
   *
   * @param longest how many characters at most
   * @param pattern what they match
   * @param words the same for people
   */
  record Text(int longest, Optional<Pattern> pattern, String words) implements Permitted {
    /** Any of people, in a line: it is shown on terminals, and stores are not for NUL. */
    static final Text LINE =
        new Text(
            256,
            Optional.of(Pattern.compile("[^\\x00-\\x1f\\x7f-\\x9f]*")),
            "no control characters");

    @Override
    public void check(String name, String text) {
      if (text.codePointCount(0, text.length()) > longest) {
        throw new IllegalArgumentException(name + " has at most " + longest + " characters");
      }
      if (pattern.filter(wanted -> !wanted.matcher(text).matches()).isPresent()) {
        throw new IllegalArgumentException("%s has %s, unlike '%s'".formatted(name, words, text));
      }
    }
  }

  /** A few words. */
  record Choice(List<String> words) implements Permitted {
    /** Copies the list. */
    public Choice {
      words = List.copyOf(words);
    }

    Choice(String... words) {
      this(List.of(words));
    }

    @Override
    public void check(String name, String text) {
      if (!words.contains(text)) {
        throw new IllegalArgumentException(
            "%s is one of %s, not '%s'".formatted(name, String.join(", ", words), text));
      }
    }
  }
}
