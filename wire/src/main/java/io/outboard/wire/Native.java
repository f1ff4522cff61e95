// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The process's memory by address, little-endian. Frames, replies and the arguments of a {@code
 * CudaDriver} are addresses, so that nothing is allocated for a call; every user of an address has
 * checked its range before.
 */
public final class Native {
  /** All memory of the process, from address 0. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private Native() {}

  /** Reads 8 bits. */
  public static byte getByte(long address) {
    return MEMORY.get(JAVA_BYTE, address);
  }

  /** Writes 8 bits. */
  public static void putByte(long address, byte value) {
    MEMORY.set(JAVA_BYTE, address, value);
  }

  /** Reads 16 bits. */
  public static short getShort(long address) {
    return MEMORY.get(JAVA_SHORT_UNALIGNED, address);
  }

  /** Writes 16 bits. */
  public static void putShort(long address, short value) {
    MEMORY.set(JAVA_SHORT_UNALIGNED, address, value);
  }

  /** Reads 32 bits. */
  public static int getInt(long address) {
    return MEMORY.get(JAVA_INT_UNALIGNED, address);
  }

  /** Writes 32 bits. */
  public static void putInt(long address, int value) {
    MEMORY.set(JAVA_INT_UNALIGNED, address, value);
  }

  /** Reads 64 bits. */
  public static long getLong(long address) {
    return MEMORY.get(JAVA_LONG_UNALIGNED, address);
  }

  /** Writes 64 bits. */
  public static void putLong(long address, long value) {
    MEMORY.set(JAVA_LONG_UNALIGNED, address, value);
  }

  /** Reads an IEEE 754 binary32. */
  public static float getFloat(long address) {
    return MEMORY.get(JAVA_FLOAT_UNALIGNED, address);
  }

  /** Writes an IEEE 754 binary32. */
  public static void putFloat(long address, float value) {
    MEMORY.set(JAVA_FLOAT_UNALIGNED, address, value);
  }

  /** Reads an IEEE 754 binary64. */
  public static double getDouble(long address) {
    return MEMORY.get(JAVA_DOUBLE_UNALIGNED, address);
  }

  /** Writes an IEEE 754 binary64. */
  public static void putDouble(long address, double value) {
    MEMORY.set(JAVA_DOUBLE_UNALIGNED, address, value);
  }

  /** Copies {@code bytes} bytes; the ranges may overlap. */
  public static void copy(long from, long to, long bytes) {
    MemorySegment.copy(MEMORY, from, MEMORY, to, bytes);
  }

  /** Sets {@code bytes} bytes to {@code value}. */
  public static void fill(long address, long bytes, byte value) {
    MEMORY.asSlice(address, bytes).fill(value);
  }
}
