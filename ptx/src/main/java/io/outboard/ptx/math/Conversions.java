// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

import java.math.BigDecimal;

/** The conversions of {@code cvt} that the JVM has no instruction for. */
public final class Conversions {
  private static final double TWO_63 = 0x1p63;

  private Conversions() {}

  /** {@code value} rounded to an integral number. */
  public static double integral(double value, int mode) {
    return switch (mode) {
      case Rounding.ZERO -> value < 0 ? Math.ceil(value) : Math.floor(value);
      case Rounding.DOWN -> Math.floor(value);
      case Rounding.UP -> Math.ceil(value);
      default -> Math.rint(value);
    };
  }

  /**
   * A number as an integer of {@code bits} bits, clamped to its range. NaN gives zero, or the
   * greatest bit alone where {@code wide} says that one of the types has 64 bits.
   */
  public static long toInteger(double value, int mode, int bits, int signed, int wide) {
    if (Double.isNaN(value)) {
      return wide != 0 ? 1L << (bits - 1) : 0;
    }
    double whole = integral(value, mode);
    if (signed != 0) {
      return Math.clamp(
          (long) whole, Long.MIN_VALUE >> (64 - bits), Long.MAX_VALUE >>> (64 - bits));
    }
    if (bits == 64) {
      return unsigned64(whole);
    }
    return Math.clamp((long) whole, 0, (1L << bits) - 1);
  }

  private static long unsigned64(double whole) {
    if (whole < TWO_63) {
      return whole < 0 ? 0 : (long) whole;
    }
    return whole >= 2 * TWO_63 ? -1 : (long) (whole - TWO_63) + Long.MIN_VALUE;
  }

  /** An integer clamped to the range of another integer type. */
  public static long saturate(long value, int signedFrom, int bits, int signedTo) {
    long least = signedTo != 0 ? Long.MIN_VALUE >> (64 - bits) : 0;
    long greatest = signedTo != 0 ? Long.MAX_VALUE >>> (64 - bits) : -1L >>> (64 - bits);
    if (signedFrom == 0) {
      return IntMath.minUnsigned(value, greatest);
    }
    return greatest < 0 ? Math.max(value, 0) : Math.clamp(value, least, greatest);
  }

  private static BigDecimal exact(long value, int signed) {
    return signed != 0 || value >= 0
        ? new BigDecimal(value)
        : new BigDecimal(value).add(BigDecimal.TWO.pow(64));
  }

  public static double toDouble(long value, int signed, int mode) {
    BigDecimal exact = exact(value, signed);
    double nearest = exact.doubleValue();
    int order = new BigDecimal(nearest).compareTo(exact);
    return Rounding.settle(nearest, order, exact.signum() < 0, mode);
  }

  public static float toFloat(long value, int signed, int mode) {
    BigDecimal exact = exact(value, signed);
    float nearest = exact.floatValue();
    int order = new BigDecimal(nearest).compareTo(exact);
    return Rounding.settle(nearest, order, exact.signum() < 0, mode);
  }

  public static int toHalf(long value, int signed, int mode) {
    return doubleToHalf(oddDouble(value, signed), mode);
  }

  public static int toBrain(long value, int signed, int mode) {
    return doubleToBrain(oddDouble(value, signed), mode);
  }

  /** Rounded to odd, so that rounding once more cannot go wrong. */
  private static double oddDouble(long value, int signed) {
    double cut = toDouble(value, signed, Rounding.ZERO);
    boolean inexact = new BigDecimal(cut).compareTo(exact(value, signed)) != 0;
    return inexact ? Double.longBitsToDouble(Double.doubleToRawLongBits(cut) | 1) : cut;
  }

  /** The nearest float to {@code value}, rounded to odd where it is not exact. */
  private static float oddFloat(double value) {
    float cut = Rounding.toFloat(value, Rounding.ZERO);
    return cut == value || Double.isNaN(value)
        ? cut
        : Float.intBitsToFloat(Float.floatToRawIntBits(cut) | 1);
  }

  public static int doubleToHalf(double value, int mode) {
    int nearest = Float.floatToFloat16(oddFloat(value)) & 0xffff;
    if (Double.isNaN(value)) {
      return 0x7fff;
    }
    return step(nearest, HalfMath.fromHalf(nearest), value, mode);
  }

  public static int doubleToBrain(double value, int mode) {
    if (Double.isNaN(value)) {
      return 0x7fff;
    }
    int bits = Float.floatToRawIntBits(oddFloat(value));
    int nearest = (bits + 0x7fff + (bits >>> 16 & 1)) >>> 16;
    return step(nearest, HalfMath.fromBrain(nearest), value, mode);
  }

  /** Moves a bit pattern of sign and magnitude by one where {@code mode} asks for it. */
  private static int step(int bits, double nearest, double value, int mode) {
    if (mode == Rounding.NEAREST || nearest == value) {
      return bits;
    }
    int step = Rounding.step(nearest > value, value < 0, mode);
    return step == 0 ? bits : value < 0 ? bits - step : bits + step;
  }
}
