// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

import java.math.BigDecimal;

/**
 * Arithmetic with a chosen rounding. A result is first rounded to nearest, together with what is
 * known exactly of the error, and then moved by one step where the mode asks for the other side.
 */
public final class Rounding {
  public static final int NEAREST = 0;
  public static final int ZERO = 1;
  public static final int DOWN = 2;
  public static final int UP = 3;

  private Rounding() {}

  /** Whether a value on the wrong side of the exact one must step: -1 down, 1 up, 0 not. */
  static int step(boolean above, boolean negative, int mode) {
    return switch (mode) {
      case ZERO -> negative ? above ? 0 : 1 : above ? -1 : 0;
      case DOWN -> above ? -1 : 0;
      case UP -> above ? 0 : 1;
      default -> 0;
    };
  }

  private static float move(float value, int step) {
    return step == 0 ? value : step < 0 ? Math.nextDown(value) : Math.nextUp(value);
  }

  private static double move(double value, int step) {
    return step == 0 ? value : step < 0 ? Math.nextDown(value) : Math.nextUp(value);
  }

  /**
   * Moves {@code nearest}, whose order to the exact value is known, to the side of {@code mode}.
   */
  static double settle(double nearest, int order, boolean negative, int mode) {
    return order == 0 ? nearest : move(nearest, step(order > 0, negative, mode));
  }

  static float settle(float nearest, int order, boolean negative, int mode) {
    return order == 0 ? nearest : move(nearest, step(order > 0, negative, mode));
  }

  /** {@code high + low}, {@code low} being too small to be seen in {@code high}, as a float. */
  private static float toFloat(double high, double low, int mode) {
    float nearest = (float) high;
    if (!Double.isFinite(high) || (nearest == high && low == 0)) {
      return nearest;
    }
    boolean above = nearest > high || (nearest == high && low < 0);
    return move(nearest, step(above, high < 0, mode));
  }

  /** A double as a float. */
  public static float toFloat(double a, int mode) {
    return mode == NEAREST ? (float) a : toFloat(a, 0, mode);
  }

  /** What {@code sum}, the rounded sum of a and b, lacks; exact. */
  private static double lost(double a, double b, double sum) {
    double other = sum - a;
    return a - (sum - other) + (b - other);
  }

  /** The sign of an exact zero that is a sum: minus where rounding goes down. */
  private static float zeroSum(float sum, boolean bothNegative, int mode) {
    return sum == 0 && mode == DOWN && !bothNegative ? -0f : sum;
  }

  public static float add(float a, float b, int mode) {
    double sum = (double) a + b;
    if (sum == 0) {
      return a == 0 && 1 / a > 0 && 1 / b > 0 ? 0f : zeroSum((float) sum, negative(a, b), mode);
    }
    return toFloat(sum, Double.isFinite(sum) ? lost(a, b, sum) : 0, mode);
  }

  private static boolean negative(double a, double b) {
    return 1 / a < 0 && 1 / b < 0;
  }

  public static float subtract(float a, float b, int mode) {
    return add(a, -b, mode);
  }

  public static float multiply(float a, float b, int mode) {
    return toFloat((double) a * b, 0, mode);
  }

  public static float fma(float a, float b, float c, int mode) {
    double product = (double) a * b;
    double sum = product + c;
    if (sum == 0) {
      boolean positive = product == 0 && 1 / product > 0 && 1 / c > 0;
      return positive ? 0f : zeroSum((float) sum, negative(product, c), mode);
    }
    return toFloat(sum, Double.isFinite(sum) ? lost(product, c, sum) : 0, mode);
  }

  /** The sign of what a quotient lacks is the sign of its remainder over the divisor's. */
  public static float divide(float a, float b, int mode) {
    double quotient = (double) a / b;
    if (mode == NEAREST || quotient == 0 || !Double.isFinite(quotient)) {
      return (float) quotient;
    }
    double rest = Math.fma(-quotient, b, a);
    return toFloat(quotient, b < 0 ? -rest : rest, mode);
  }

  public static float reciprocal(float a, int mode) {
    return divide(1f, a, mode);
  }

  public static float squareRoot(float a, int mode) {
    double root = Math.sqrt(a);
    if (mode == NEAREST || root == 0 || !Double.isFinite(root)) {
      return (float) root;
    }
    return toFloat(root, Math.fma(-root, root, a), mode);
  }

  /** Moves {@code nearest} to the side of {@code exact} that {@code mode} asks for. */
  private static double toDouble(double nearest, BigDecimal exact, int mode) {
    if (!Double.isFinite(nearest)) {
      return move(nearest, step(nearest > 0, nearest < 0, mode));
    }
    int order = new BigDecimal(nearest).compareTo(exact);
    return settle(nearest, order, exact.signum() < 0, mode);
  }

  private static boolean finite(double a, double b) {
    return Double.isFinite(a) && Double.isFinite(b);
  }

  public static double add(double a, double b, int mode) {
    double sum = a + b;
    if (!finite(a, b)) {
      return sum;
    }
    if (sum == 0) {
      boolean positive = a == 0 && 1 / a > 0 && 1 / b > 0;
      return mode == DOWN && !positive ? -0.0 : sum;
    }
    return toDouble(sum, new BigDecimal(a).add(new BigDecimal(b)), mode);
  }

  public static double subtract(double a, double b, int mode) {
    return add(a, -b, mode);
  }

  public static double multiply(double a, double b, int mode) {
    double product = a * b;
    if (!finite(a, b) || a == 0 || b == 0) {
      return product;
    }
    return toDouble(product, new BigDecimal(a).multiply(new BigDecimal(b)), mode);
  }

  public static double fma(double a, double b, double c, int mode) {
    double nearest = Math.fma(a, b, c);
    if (!finite(a, b) || !Double.isFinite(c)) {
      return nearest;
    }
    BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
    if (exact.signum() == 0) {
      boolean positive = 1 / (a * b) > 0 && 1 / c > 0;
      return mode == DOWN && !positive ? -0.0 : nearest;
    }
    return toDouble(nearest, exact, mode);
  }

  /** The exact quotient is compared by multiplying back. */
  public static double divide(double a, double b, int mode) {
    double nearest = a / b;
    if (mode == NEAREST || !finite(a, b) || a == 0 || b == 0) {
      return nearest;
    }
    boolean negative = a < 0 != b < 0;
    if (!Double.isFinite(nearest)) {
      return move(nearest, step(nearest > 0, negative, mode));
    }
    BigDecimal back = new BigDecimal(nearest).multiply(new BigDecimal(b));
    int order = back.compareTo(new BigDecimal(a)) * (b < 0 ? -1 : 1);
    return settle(nearest, order, negative, mode);
  }

  public static double reciprocal(double a, int mode) {
    return divide(1.0, a, mode);
  }

  public static double squareRoot(double a, int mode) {
    double nearest = Math.sqrt(a);
    if (mode == NEAREST || nearest == 0 || !Double.isFinite(nearest)) {
      return nearest;
    }
    BigDecimal root = new BigDecimal(nearest);
    int order = root.multiply(root).compareTo(new BigDecimal(a));
    return settle(nearest, order, false, mode);
  }
}
