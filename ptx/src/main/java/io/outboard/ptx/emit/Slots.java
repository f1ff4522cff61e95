// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

/** The local variables that every region method has. */
public final class Slots {
  public static final int CONTEXT = 0;
  public static final int LOW = 1;
  public static final int HIGH = 2;
  public static final int THREAD = 3;
  public static final int SHARED = 4;
  public static final int INTS = 5;
  public static final int LONGS = 6;
  public static final int STATES = 7;
  public static final int INT_BASE = 8;
  public static final int LONG_BASE = 9;
  public static final int FUEL = 10;

  /** The first one that is free. */
  public static final int FREE = 11;

  private Slots() {}
}
