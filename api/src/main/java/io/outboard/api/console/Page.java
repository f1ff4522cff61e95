// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Some rows of a table.
 *
 * @param total rows that were found
 * @param rows those of the page
 */
public record Page<T>(int total, List<T> rows) {
  /**
   * Those wanted of a table.
   *
   * @param search a part of a text of theirs; empty for any
   * @param sort by what
   * @param descending the largest first
   * @param offset how many come before the page
   * @param limit how many at most
   */
  public record Wanted(String search, String sort, boolean descending, int offset, int limit) {
    /** Whether one of some texts has what is searched for. */
    boolean finds(String... texts) {
      String part = search.toLowerCase(Locale.ROOT);
      return part.isEmpty()
          || Stream.of(texts).anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(part));
    }
  }

  static <T> Page<T> of(List<T> all, Predicate<T> which, Comparator<T> order, Wanted wanted) {
    List<T> found =
        all.stream().filter(which).sorted(wanted.descending() ? order.reversed() : order).toList();
    int from = Math.min(wanted.offset(), found.size());
    int to = Math.min(found.size(), from + wanted.limit());
    return new Page<>(found.size(), found.subList(from, to));
  }
}
