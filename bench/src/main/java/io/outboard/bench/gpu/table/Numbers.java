// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as the tables have them. */
final class Numbers {
  private static final MathContext DIGITS = new MathContext(3);
  private static final double LARGE = 100;

  private Numbers() {}

  /** Three significant digits, of large numbers all before the point. */
  static String rounded(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "?";
    }
    if (Math.abs(value) >= LARGE) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    BigDecimal number = new BigDecimal(value).round(DIGITS);
    int zeros = DIGITS.getPrecision() - number.precision();
    return number.setScale(number.scale() + zeros).toPlainString();
  }

  /** As it was written, without a needless point. */
  static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
