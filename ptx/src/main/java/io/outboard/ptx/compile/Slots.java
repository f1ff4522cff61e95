// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.compile;

/** The local variables that every region method has. */
final class Slots {
  static final int CONTEXT = 0;
  static final int LOW = 1;
  static final int HIGH = 2;
  static final int THREAD = 3;
  static final int SHARED = 4;
  static final int INTS = 5;
  static final int LONGS = 6;
  static final int STATES = 7;
  static final int INT_BASE = 8;
  static final int LONG_BASE = 9;
  static final int FUEL = 10;

  /** The first one that is free. */
  static final int FREE = 11;

  private Slots() {}
}
