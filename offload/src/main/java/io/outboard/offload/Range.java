// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

import java.util.ArrayList;
import java.util.List;

/**
 * Whole numbers from one on, up to another one that is not among them.
 *
 * @param from the first
 * @param to behind the last; not below {@code from}
 */
public record Range(long from, long to) {
  /** Checks it. */
  public Range {
    if (to < from || to - from < 0) {
      throw new IllegalArgumentException("from " + from + " to " + to + " is no range");
    }
  }

  /** How many numbers there are. */
  public long length() {
    return to - from;
  }

  /**
   * Cuts it into parts of about the same length, in order.
   *
   * @param most at least 1: there are fewer where it has fewer numbers, and one where it has none
   */
  public List<Range> parts(int most) {
    long count = Math.max(1, Math.min(most, length()));
    List<Range> parts = new ArrayList<>();
    long begin = from;
    for (long left = count; left > 0; left--) {
      long end = begin + (to - begin) / left;
      parts.add(new Range(begin, end));
      begin = end;
    }
    return parts;
  }
}
