// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds the names that somebody may have meant. */
final class Distance {
  private static final int MOST = 5;

  private Distance() {}

  /** Those of {@code names} that are near to one that is none of them, the nearest first. */
  static List<String> near(String wrong, Stream<String> names) {
    String meant = wrong.toLowerCase(Locale.ROOT);
    return names
        .distinct()
        .filter(name -> of(meant, name) <= limit(meant))
        .sorted(
            Comparator.<String>comparingInt(name -> of(meant, name)).thenComparing(name -> name))
        .limit(MOST)
        .toList();
  }

  private static int limit(String meant) {
    return meant.length() < 5 ? 1 : Math.max(2, meant.length() / 4);
  }

  /** A name that has all of what was meant inside is near. */
  private static int of(String meant, String name) {
    String other = name.toLowerCase(Locale.ROOT);
    return meant.length() > 2 && other.contains(meant) ? 1 : edits(meant, other);
  }

  /** How many letters must be added, removed or replaced. */
  static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
