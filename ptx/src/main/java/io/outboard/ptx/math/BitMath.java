// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

/** Shifts with PTX's clamped amounts, bit fields, and permutations of bytes. */
public final class BitMath {
  private BitMath() {}

  public static int isZero(int a) {
    return a == 0 ? 1 : 0;
  }

  public static long isZero(long a) {
    return a == 0 ? 1 : 0;
  }

  private static boolean beyond(int amount, int width) {
    return Integer.compareUnsigned(amount, width) >= 0;
  }

  public static int shiftLeft(int a, int amount) {
    return beyond(amount, 32) ? 0 : a << amount;
  }

  public static long shiftLeft(long a, int amount) {
    return beyond(amount, 64) ? 0 : a << amount;
  }

  public static int shiftRight(int a, int amount) {
    return a >> (beyond(amount, 32) ? 31 : amount);
  }

  public static long shiftRight(long a, int amount) {
    return a >> (beyond(amount, 64) ? 63 : amount);
  }

  public static int shiftRightUnsigned(int a, int amount) {
    return beyond(amount, 32) ? 0 : a >>> amount;
  }

  public static long shiftRightUnsigned(long a, int amount) {
    return beyond(amount, 64) ? 0 : a >>> amount;
  }

  private static int clamp32(int amount) {
    return beyond(amount, 32) ? 32 : amount;
  }

  private static long join(int low, int high) {
    return (long) high << 32 | Integer.toUnsignedLong(low);
  }

  public static int funnelLeftWrap(int low, int high, int amount) {
    return (int) (join(low, high) << (amount & 31) >>> 32);
  }

  public static int funnelLeftClamp(int low, int high, int amount) {
    return (int) (join(low, high) << clamp32(amount) >>> 32);
  }

  public static int funnelRightWrap(int low, int high, int amount) {
    return (int) (join(low, high) >>> (amount & 31));
  }

  public static int funnelRightClamp(int low, int high, int amount) {
    return (int) (join(low, high) >>> clamp32(amount));
  }

  /** Each bit of the result is the bit of {@code table} that the three operands' bits select. */
  public static int lop3(int a, int b, int c, int table) {
    return ((table & 1) == 0 ? 0 : ~a & ~b & ~c)
        | ((table & 2) == 0 ? 0 : ~a & ~b & c)
        | ((table & 4) == 0 ? 0 : ~a & b & ~c)
        | ((table & 8) == 0 ? 0 : ~a & b & c)
        | ((table & 16) == 0 ? 0 : a & ~b & ~c)
        | ((table & 32) == 0 ? 0 : a & ~b & c)
        | ((table & 64) == 0 ? 0 : a & b & ~c)
        | ((table & 128) == 0 ? 0 : a & b & c);
  }

  /** One byte of the eight in {@code pool}; bit 3 of the selector spreads its sign. */
  private static int pick(long pool, int selector) {
    int value = (byte) (pool >>> ((selector & 7) * 8));
    return ((selector & 8) == 0 ? value : value >> 7) & 0xff;
  }

  private static int assemble(int a, int b, int s0, int s1, int s2, int s3) {
    long pool = join(a, b);
    return pick(pool, s0) | pick(pool, s1) << 8 | pick(pool, s2) << 16 | pick(pool, s3) << 24;
  }

  public static int permute(int a, int b, int c) {
    return assemble(a, b, c & 15, c >>> 4 & 15, c >>> 8 & 15, c >>> 12 & 15);
  }

  public static int permuteF4E(int a, int b, int c) {
    int s = c & 3;
    return assemble(a, b, s, s + 1, s + 2, s + 3);
  }

  public static int permuteB4E(int a, int b, int c) {
    int s = c & 3;
    return assemble(a, b, s, s - 1 & 7, s - 2 & 7, s - 3 & 7);
  }

  public static int permuteRC8(int a, int b, int c) {
    int s = c & 3;
    return assemble(a, b, s, s, s, s);
  }

  public static int permuteECL(int a, int b, int c) {
    int s = c & 3;
    return assemble(a, b, s, Math.max(s, 1), Math.max(s, 2), 3);
  }

  public static int permuteECR(int a, int b, int c) {
    int s = c & 3;
    return assemble(a, b, 0, Math.min(s, 1), Math.min(s, 2), s);
  }

  public static int permuteRC16(int a, int b, int c) {
    int s = (c & 1) * 2;
    return assemble(a, b, s, s + 1, s, s + 1);
  }

  public static int extractUnsigned(int a, int position, int length) {
    return (int)
        extractUnsigned(Integer.toUnsignedLong(a), position & 255, Math.min(length & 255, 32));
  }

  public static long extractUnsigned(long a, int position, int length) {
    long shifted = shiftRightUnsigned(a, position & 255);
    int kept = length & 255;
    return kept >= 64 ? shifted : shifted & (1L << kept) - 1;
  }

  public static int extract(int a, int position, int length) {
    int start = position & 255;
    int kept = length & 255;
    if (kept == 0) {
      return 0;
    }
    int top = Math.min(start + kept - 1, 31);
    int sign = a << (31 - top) >> 31;
    int field = extractUnsigned(a, start, kept);
    int width = Math.max(top - start + 1, 0);
    return width >= 32 ? field : (field & (1 << width) - 1) | sign << width;
  }

  public static long extract(long a, int position, int length) {
    int start = position & 255;
    int kept = length & 255;
    if (kept == 0) {
      return 0;
    }
    int top = Math.min(start + kept - 1, 63);
    long sign = a << (63 - top) >> 63;
    long field = extractUnsigned(a, start, kept);
    int width = Math.max(top - start + 1, 0);
    return width >= 64 ? field : (field & (1L << width) - 1) | sign << width;
  }

  public static int insert(int field, int into, int position, int length) {
    int mask = maskClamp(position & 255, length & 255);
    return (into & ~mask) | (shiftLeft(field, position & 255) & mask);
  }

  public static long insert(long field, long into, int position, int length) {
    int kept = length & 255;
    long ones = kept >= 64 ? -1L : (1L << kept) - 1;
    long mask = shiftLeft(ones, position & 255);
    return (into & ~mask) | (shiftLeft(field, position & 255) & mask);
  }

  public static int maskClamp(int position, int width) {
    int ones = beyond(width, 32) ? -1 : (1 << width) - 1;
    return shiftLeft(ones, position);
  }

  public static int maskWrap(int position, int width) {
    return ((1 << (width & 31)) - 1) << (position & 31);
  }

  public static int signExtend(int a, int width, int wrap) {
    int kept = wrap != 0 ? width & 31 : clamp32(width);
    return kept == 0 ? 0 : a << (32 - kept) >> (32 - kept);
  }

  public static int zeroExtend(int a, int width, int wrap) {
    int kept = wrap != 0 ? width & 31 : clamp32(width);
    return kept == 0 ? 0 : a << (32 - kept) >>> (32 - kept);
  }

  public static int find(int a, int asAmount) {
    int zeros = Integer.numberOfLeadingZeros(a);
    return a == 0 ? -1 : asAmount != 0 ? zeros : 31 - zeros;
  }

  public static int findSigned(int a, int asAmount) {
    return find(a < 0 ? ~a : a, asAmount);
  }

  public static int find(long a, int asAmount) {
    int zeros = Long.numberOfLeadingZeros(a);
    return a == 0 ? -1 : asAmount != 0 ? zeros : 63 - zeros;
  }

  public static int findSigned(long a, int asAmount) {
    return find(a < 0 ? ~a : a, asAmount);
  }

  /** The position of the {@code n}-th set bit from {@code base}, upwards or, negative, down. */
  public static int findNthSet(int mask, int base, int n) {
    if (n == 0) {
      return (mask >>> base & 1) != 0 ? base : -1;
    }
    int left = Math.abs(n);
    int step = n > 0 ? 1 : -1;
    for (int i = base; i >= 0 && i < 32; i += step) {
      if ((mask >>> i & 1) != 0 && --left == 0) {
        return i;
      }
    }
    return -1;
  }
}
