// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/**
 * Device memory. The checks of {@link java.lang.foreign.MemorySegment} are the traps: an index out
 * of bounds is an illegal address, an illegal argument a misaligned one.
 */
public final class GlobalMemory {
  private GlobalMemory() {}

  public static int load8(BlockContext context, long address) {
    try {
      return context.memory(address).get(JAVA_BYTE, context.offset(address));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 1);
    }
  }

  public static int load16(BlockContext context, long address) {
    try {
      return context.memory(address).get(JAVA_SHORT, context.offset(address));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 2);
    }
  }

  public static int load32(BlockContext context, long address) {
    try {
      return context.memory(address).get(JAVA_INT, context.offset(address));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 4);
    }
  }

  public static long load64(BlockContext context, long address) {
    try {
      return context.memory(address).get(JAVA_LONG, context.offset(address));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 8);
    }
  }

  public static float loadFloat(BlockContext context, long address) {
    try {
      return context.memory(address).get(JAVA_FLOAT, context.offset(address));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 4);
    }
  }

  public static double loadDouble(BlockContext context, long address) {
    try {
      return context.memory(address).get(JAVA_DOUBLE, context.offset(address));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 8);
    }
  }

  public static void store8(BlockContext context, long address, int value) {
    try {
      context.memory(address).set(JAVA_BYTE, context.offset(address), (byte) value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 1);
    }
  }

  public static void store16(BlockContext context, long address, int value) {
    try {
      context.memory(address).set(JAVA_SHORT, context.offset(address), (short) value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 2);
    }
  }

  public static void store32(BlockContext context, long address, int value) {
    try {
      context.memory(address).set(JAVA_INT, context.offset(address), value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 4);
    }
  }

  public static void store64(BlockContext context, long address, long value) {
    try {
      context.memory(address).set(JAVA_LONG, context.offset(address), value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 8);
    }
  }

  public static void storeFloat(BlockContext context, long address, float value) {
    try {
      context.memory(address).set(JAVA_FLOAT, context.offset(address), value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 4);
    }
  }

  public static void storeDouble(BlockContext context, long address, double value) {
    try {
      context.memory(address).set(JAVA_DOUBLE, context.offset(address), value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 8);
    }
  }
}
