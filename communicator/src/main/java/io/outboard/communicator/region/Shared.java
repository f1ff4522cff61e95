// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.wire.Native;
import java.lang.invoke.VarHandle;

/** Words of memory that another process reads and writes too, by address, aligned. */
public final class Shared {
  private static final VarHandle INT = JAVA_INT.varHandle();
  private static final VarHandle LONG = JAVA_LONG.varHandle();

  private Shared() {}

  /** Reads 64 bits; bytes written before them are seen. */
  public static long get(long address) {
    return (long) LONG.getVolatile(Native.MEMORY, address);
  }

  /** Writes 64 bits, in one order with all volatile accesses. */
  public static void put(long address, long value) {
    LONG.setVolatile(Native.MEMORY, address, value);
  }

  /** Reads 32 bits. */
  public static int getInt(long address) {
    return (int) INT.getVolatile(Native.MEMORY, address);
  }

  /** Writes 32 bits. */
  public static void putInt(long address, int value) {
    INT.setVolatile(Native.MEMORY, address, value);
  }

  /** Adds to 64 bits. */
  public static void add(long address, long value) {
    long unused = (long) LONG.getAndAdd(Native.MEMORY, address, value);
  }

  /** Raises 64 bits to a value, if they are less. */
  public static void raise(long address, long value) {
    for (long now = get(address); now < value; now = get(address)) {
      if (LONG.compareAndSet(Native.MEMORY, address, now, value)) {
        return;
      }
    }
  }

  /** Adds to 32 bits. */
  public static void addInt(long address, int value) {
    int unused = (int) INT.getAndAdd(Native.MEMORY, address, value);
  }

  /** Sets bits; returns what was there before. */
  public static int set(long address, int bits) {
    return (int) INT.getAndBitwiseOr(Native.MEMORY, address, bits);
  }

  /** Clears bits; returns what was there before. */
  public static int clear(long address, int bits) {
    return (int) INT.getAndBitwiseAnd(Native.MEMORY, address, ~bits);
  }
}
