// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a figure is to get: {@code <=10} at most 10, {@code >=6} at least 6, {@code <=1.02x} and
 * {@code >=0.98x} so many times the native figure of the same pair, {@code <=+0.2} at most 0.2 more
 * than that.
 *
 * @param atMost whether the bound is from above
 * @param base what the bound is about
 * @param bound the number
 */
record Target(boolean atMost, Base base, double bound) {
  /** The quantity that is bounded. */
  enum Base {
    VALUE,
    RATIO,
    DIFFERENCE
  }

  private static final Pattern FORM = Pattern.compile("([<>])=(\\+?)([0-9.]+)(x?)");

  /** Reads one of these forms. */
  static Target parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || (!form.group(2).isEmpty() && !form.group(4).isEmpty())) {
      throw new IllegalArgumentException("'" + text + "' is no target");
    }
    Base base = Base.VALUE;
    if (!form.group(4).isEmpty()) {
      base = Base.RATIO;
    } else if (!form.group(2).isEmpty()) {
      base = Base.DIFFERENCE;
    }
    return new Target(form.group(1).equals("<"), base, Double.parseDouble(form.group(3)));
  }

  /** Whether what was measured gets there. */
  boolean isMet(Comparison measured) {
    double value =
        switch (base) {
          case VALUE -> measured.ours();
          case RATIO -> measured.ratio();
          case DIFFERENCE -> measured.difference();
        };
    return atMost ? value <= bound : value >= bound;
  }

  /** As people write it. */
  @Override
  public String toString() {
    String sign = atMost ? "≤ " : "≥ ";
    String number = Numbers.plain(bound);
    return switch (base) {
      case VALUE -> sign + number;
      case RATIO -> sign + number + "×";
      case DIFFERENCE -> sign + "+" + number;
    };
  }
}
