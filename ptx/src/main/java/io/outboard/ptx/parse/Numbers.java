// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.model.Operand;

/** Reads constants (PTX ISA, "Constants"). */
final class Numbers {
  private Numbers() {}

  /** The constant {@code text}; throws {@link NumberFormatException}. */
  static Operand read(String text, boolean negative) {
    if (text.length() == 10 && startsWith(text, 'f')) {
      int bits = Integer.parseUnsignedInt(text, 2, 10, 16) ^ (negative ? Integer.MIN_VALUE : 0);
      return new Operand.Real(Float.intBitsToFloat(bits), bits, true);
    }
    if (text.length() == 18 && startsWith(text, 'd')) {
      long bits = Long.parseUnsignedLong(text, 2, 18, 16) ^ (negative ? Long.MIN_VALUE : 0);
      return real(Double.longBitsToDouble(bits));
    }
    if (decimalReal(text)) {
      double value = Double.parseDouble(text);
      return real(negative ? -value : value);
    }
    long value = whole(text);
    return new Operand.Whole(negative ? -value : value);
  }

  private static Operand real(double value) {
    return new Operand.Real(value, Float.floatToRawIntBits((float) value), false);
  }

  private static boolean startsWith(String text, char kind) {
    return text.charAt(0) == '0' && (text.charAt(1) | 0x20) == kind;
  }

  private static boolean decimalReal(String text) {
    boolean hex = text.length() > 1 && startsWith(text, 'x');
    return !hex && (text.indexOf('.') >= 0 || text.indexOf('e') > 0 || text.indexOf('E') > 0);
  }

  /** The whole number {@code text}; throws {@link NumberFormatException}. */
  static long whole(String text) {
    int end = text.endsWith("U") ? text.length() - 1 : text.length();
    if (end > 1 && text.charAt(0) == '0') {
      return switch (text.charAt(1)) {
        case 'x', 'X' -> Long.parseUnsignedLong(text, 2, end, 16);
        case 'b', 'B' -> Long.parseUnsignedLong(text, 2, end, 2);
        default -> Long.parseUnsignedLong(text, 1, end, 8);
      };
    }
    return Long.parseUnsignedLong(text, 0, end, 10);
  }
}
