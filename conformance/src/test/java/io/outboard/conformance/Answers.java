// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a driver answers in each case, as {@code conformance/c/answers} writes it down. */
final class Answers {
  /** What the recorder says of a case that a driver does not survive. */
  static final String UNDEFINED = "undefined";

  /** A case, its result, and what came next if that was no success. */
  private static final Pattern LINE =
      Pattern.compile("([^:#]+): (-?\\d+|[a-z ]+).*?(?: ((?:after|end)=-?\\d+))?");

  private Answers() {}

  /** By the names of cases; values that were put out are left aside. */
  static SortedMap<String, String> read(Collection<String> lines) {
    SortedMap<String, String> answers = new TreeMap<>();
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        String after = matcher.group(3) == null ? "" : "," + matcher.group(3);
        answers.put(matcher.group(1), matcher.group(2).strip() + after);
      }
    }
    return answers;
  }
}
