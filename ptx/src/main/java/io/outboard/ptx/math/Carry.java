// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.math;

/** Sums and differences with a carry; the carry of a subtraction is its borrow. */
public final class Carry {
  private Carry() {}

  public static int add(int a, int b, int carry) {
    return a + b + carry;
  }

  public static int addCarry(int a, int b, int carry) {
    return (int) ((Integer.toUnsignedLong(a) + Integer.toUnsignedLong(b) + carry) >>> 32);
  }

  public static int subtract(int a, int b, int borrow) {
    return a - b - borrow;
  }

  public static int subtractCarry(int a, int b, int borrow) {
    return Integer.toUnsignedLong(a) < Integer.toUnsignedLong(b) + borrow ? 1 : 0;
  }

  public static long add(long a, long b, int carry) {
    return a + b + carry;
  }

  public static int addCarry(long a, long b, int carry) {
    long sum = a + b;
    boolean first = Long.compareUnsigned(sum, a) < 0;
    boolean second = carry != 0 && sum == -1;
    return first || second ? 1 : 0;
  }

  public static long subtract(long a, long b, int borrow) {
    return a - b - borrow;
  }

  public static int subtractCarry(long a, long b, int borrow) {
    int order = Long.compareUnsigned(a, b);
    return order < 0 || (order == 0 && borrow != 0) ? 1 : 0;
  }
}
