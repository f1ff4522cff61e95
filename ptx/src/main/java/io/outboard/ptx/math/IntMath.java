// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

/**
 * Integer arithmetic that the JVM has no instruction for. Division by zero gives all ones and the
 * remainder the dividend, as the hardware does; PTX leaves it open.
 */
public final class IntMath {
  private IntMath() {}

  public static int addSaturated(int a, int b) {
    return clamp((long) a + b);
  }

  public static int subtractSaturated(int a, int b) {
    return clamp((long) a - b);
  }

  private static int clamp(long value) {
    return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  public static int multiplyHigh(int a, int b) {
    return (int) (((long) a * b) >> 32);
  }

  public static int multiplyHighUnsigned(int a, int b) {
    return (int) ((Integer.toUnsignedLong(a) * Integer.toUnsignedLong(b)) >>> 32);
  }

  private static int signed24(int a) {
    return a << 8 >> 8;
  }

  private static int unsigned24(int a) {
    return a & 0xff_ffff;
  }

  public static int multiply24(int a, int b) {
    return signed24(a) * signed24(b);
  }

  public static int multiply24Unsigned(int a, int b) {
    return unsigned24(a) * unsigned24(b);
  }

  public static int multiply24High(int a, int b) {
    return (int) (((long) signed24(a) * signed24(b)) >> 16);
  }

  public static int multiply24HighUnsigned(int a, int b) {
    return (int) (((long) unsigned24(a) * unsigned24(b)) >>> 16);
  }

  public static int multiplyAdd24(int a, int b, int c) {
    return multiply24(a, b) + c;
  }

  public static int multiplyAdd24Unsigned(int a, int b, int c) {
    return multiply24Unsigned(a, b) + c;
  }

  public static int multiplyAdd24High(int a, int b, int c) {
    return multiply24High(a, b) + c;
  }

  public static int multiplyAdd24HighUnsigned(int a, int b, int c) {
    return multiply24HighUnsigned(a, b) + c;
  }

  public static int absoluteDifference(int a, int b, int c) {
    return c + (a < b ? b - a : a - b);
  }

  public static int absoluteDifferenceUnsigned(int a, int b, int c) {
    return c + (Integer.compareUnsigned(a, b) < 0 ? b - a : a - b);
  }

  public static long absoluteDifference(long a, long b, long c) {
    return c + (a < b ? b - a : a - b);
  }

  public static long absoluteDifferenceUnsigned(long a, long b, long c) {
    return c + (Long.compareUnsigned(a, b) < 0 ? b - a : a - b);
  }

  public static int divide(int a, int b) {
    return b == 0 ? -1 : a / b;
  }

  public static int divideUnsigned(int a, int b) {
    return b == 0 ? -1 : Integer.divideUnsigned(a, b);
  }

  public static long divide(long a, long b) {
    return b == 0 ? -1 : a / b;
  }

  public static long divideUnsigned(long a, long b) {
    return b == 0 ? -1 : Long.divideUnsigned(a, b);
  }

  public static int remainder(int a, int b) {
    return b == 0 ? a : a % b;
  }

  public static int remainderUnsigned(int a, int b) {
    return b == 0 ? a : Integer.remainderUnsigned(a, b);
  }

  public static long remainder(long a, long b) {
    return b == 0 ? a : a % b;
  }

  public static long remainderUnsigned(long a, long b) {
    return b == 0 ? a : Long.remainderUnsigned(a, b);
  }

  public static int minUnsigned(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0 ? a : b;
  }

  public static int maxUnsigned(int a, int b) {
    return Integer.compareUnsigned(a, b) > 0 ? a : b;
  }

  public static long minUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? a : b;
  }

  public static long maxUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) > 0 ? a : b;
  }

  private static int part(int word, int shift, int width, int signed) {
    int cut = word << (32 - width - shift);
    return signed != 0 ? cut >> (32 - width) : cut >>> (32 - width);
  }

  /** The sum of four products of bytes and {@code c}. */
  public static int dot4(int a, int b, int c, int signedA, int signedB) {
    int sum = c;
    for (int shift = 0; shift < 32; shift += 8) {
      sum += part(a, shift, 8, signedA) * part(b, shift, 8, signedB);
    }
    return sum;
  }

  /** The sum of two products, halves of {@code a} with the lower bytes of {@code b}. */
  public static int dot2Low(int a, int b, int c, int signedA, int signedB) {
    return dot2(a, b, c, signedA, signedB);
  }

  /** The same with the upper bytes of {@code b}. */
  public static int dot2High(int a, int b, int c, int signedA, int signedB) {
    return dot2(a, b >>> 16, c, signedA, signedB);
  }

  private static int dot2(int a, int b, int c, int signedA, int signedB) {
    return c
        + part(a, 0, 16, signedA) * part(b, 0, 8, signedB)
        + part(a, 16, 16, signedA) * part(b, 8, 8, signedB);
  }
}
