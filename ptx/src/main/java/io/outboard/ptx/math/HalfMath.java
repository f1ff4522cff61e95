// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

/**
 * Arithmetic on half-precision bit patterns: {@code half} is IEEE binary16, {@code brain} the upper
 * half of a float; the forms with 2 work on both halves of a word.
 */
public final class HalfMath {
  public static final int ADD = 0;
  public static final int SUBTRACT = 1;
  public static final int MULTIPLY = 2;
  public static final int FMA = 3;
  public static final int NEGATE = 4;
  public static final int ABSOLUTE = 5;
  public static final int MINIMUM = 6;
  public static final int MAXIMUM = 7;
  public static final int MINIMUM_NAN = 8;
  public static final int MAXIMUM_NAN = 9;
  public static final int POWER2 = 10;
  public static final int TANH = 11;
  public static final int SATURATE = 12;
  public static final int RELU = 13;

  private HalfMath() {}

  public static float fromHalf(int bits) {
    return Float.float16ToFloat((short) bits);
  }

  public static float fromBrain(int bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** {@code high} above {@code low}. */
  public static int pack(int high, int low) {
    return high << 16 | (low & 0xffff);
  }

  public static int half(int a, int b, int c, int operation) {
    if (operation == NEGATE || operation == ABSOLUTE) {
      return sign(a, operation);
    }
    double exact = apply(fromHalf(a), fromHalf(b), fromHalf(c), operation);
    return Conversions.doubleToHalf(exact, Rounding.NEAREST);
  }

  public static int brain(int a, int b, int c, int operation) {
    if (operation == NEGATE || operation == ABSOLUTE) {
      return sign(a, operation);
    }
    double exact = apply(fromBrain(a), fromBrain(b), fromBrain(c), operation);
    return Conversions.doubleToBrain(exact, Rounding.NEAREST);
  }

  private static int sign(int a, int operation) {
    return (operation == NEGATE ? a ^ 0x8000 : a & 0x7fff) & 0xffff;
  }

  public static int half2(int a, int b, int c, int operation) {
    return pack(half(a >>> 16, b >>> 16, c >>> 16, operation), half(a, b, c, operation));
  }

  public static int brain2(int a, int b, int c, int operation) {
    return pack(brain(a >>> 16, b >>> 16, c >>> 16, operation), brain(a, b, c, operation));
  }

  /** A double holds sums and products of halves exactly; that of brain floats up to a far tie. */
  private static double apply(double a, double b, double c, int operation) {
    return switch (operation) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case FMA -> Math.fma(a, b, c);
      case MINIMUM -> FloatMath.min(a, b);
      case MAXIMUM -> FloatMath.max(a, b);
      case MINIMUM_NAN -> Math.min(a, b);
      case MAXIMUM_NAN -> Math.max(a, b);
      case POWER2 -> Math.pow(2, a);
      case TANH -> Math.tanh(a);
      case SATURATE -> FloatMath.saturate(a);
      default -> a > 0 ? a : Double.isNaN(a) ? a : 0;
    };
  }
}
