// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

/** Functions on f32 and f64 that the JVM has no instruction for. */
public final class FloatMath {
  private static final float NAN = Float.intBitsToFloat(0x7fffffff);
  private static final double LN2 = Math.log(2);

  private FloatMath() {}

  /** A subnormal number becomes zero of its sign. */
  public static float flush(float a) {
    return Math.abs(a) < Float.MIN_NORMAL ? Math.copySign(0f, a) : a;
  }

  /** Clamps to zero and one; NaN becomes zero. */
  public static float saturate(float a) {
    return a > 0f ? Math.min(a, 1f) : 0f;
  }

  public static double saturate(double a) {
    return a > 0 ? Math.min(a, 1) : 0;
  }

  /** The lesser number; a NaN loses against a number. */
  public static float min(float a, float b) {
    if (Float.isNaN(a)) {
      return Float.isNaN(b) ? NAN : b;
    }
    return Float.isNaN(b) ? a : Math.min(a, b);
  }

  public static float max(float a, float b) {
    if (Float.isNaN(a)) {
      return Float.isNaN(b) ? NAN : b;
    }
    return Float.isNaN(b) ? a : Math.max(a, b);
  }

  public static double min(double a, double b) {
    if (Double.isNaN(a)) {
      return b;
    }
    return Double.isNaN(b) ? a : Math.min(a, b);
  }

  public static double max(double a, double b) {
    if (Double.isNaN(a)) {
      return b;
    }
    return Double.isNaN(b) ? a : Math.max(a, b);
  }

  public static float reciprocalSquareRoot(float a) {
    return a == 0 ? 1 / a : (float) (1 / Math.sqrt(a));
  }

  public static double reciprocalSquareRoot(double a) {
    return a == 0 ? 1 / a : 1 / Math.sqrt(a);
  }

  public static float sine(float a) {
    return (float) Math.sin(a);
  }

  public static float cosine(float a) {
    return (float) Math.cos(a);
  }

  public static float logarithm2(float a) {
    return (float) (Math.log(a) / LN2);
  }

  public static float power2(float a) {
    return (float) Math.pow(2, a);
  }

  public static float hyperbolicTangent(float a) {
    return (float) Math.tanh(a);
  }

  private static int bit(boolean value) {
    return value ? 1 : 0;
  }

  public static int orderedNotEqual(float a, float b) {
    return bit(a < b || a > b);
  }

  public static int orderedNotEqual(double a, double b) {
    return bit(a < b || a > b);
  }

  public static int unorderedEqual(float a, float b) {
    return bit(!(a < b || a > b));
  }

  public static int unorderedEqual(double a, double b) {
    return bit(!(a < b || a > b));
  }

  public static int ordered(float a, float b) {
    return bit(!Float.isNaN(a) && !Float.isNaN(b));
  }

  public static int ordered(double a, double b) {
    return bit(!Double.isNaN(a) && !Double.isNaN(b));
  }

  public static int unordered(float a, float b) {
    return 1 - ordered(a, b);
  }

  public static int unordered(double a, double b) {
    return 1 - ordered(a, b);
  }

  public static int finite(float a) {
    return bit(Float.isFinite(a));
  }

  public static int finite(double a) {
    return bit(Double.isFinite(a));
  }

  public static int infinite(float a) {
    return bit(Float.isInfinite(a));
  }

  public static int infinite(double a) {
    return bit(Double.isInfinite(a));
  }

  public static int number(float a) {
    return bit(!Float.isNaN(a));
  }

  public static int number(double a) {
    return bit(!Double.isNaN(a));
  }

  public static int notanumber(float a) {
    return bit(Float.isNaN(a));
  }

  public static int notanumber(double a) {
    return bit(Double.isNaN(a));
  }

  public static int normal(float a) {
    return bit(Float.isFinite(a) && Math.abs(a) >= Float.MIN_NORMAL);
  }

  public static int normal(double a) {
    return bit(Double.isFinite(a) && Math.abs(a) >= Double.MIN_NORMAL);
  }

  public static int subnormal(float a) {
    return bit(a != 0 && Math.abs(a) < Float.MIN_NORMAL);
  }

  public static int subnormal(double a) {
    return bit(a != 0 && Math.abs(a) < Double.MIN_NORMAL);
  }
}
