// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

/** Accesses whose address says which space is meant. */
public final class GenericMemory {
  private static final long OFFSET = (1L << Windows.SHIFT) - 1;

  private GenericMemory() {}

  public static int load8(BlockContext context, int thread, long address) {
    return address >>> Windows.SHIFT == 0
        ? GlobalMemory.load8(context, address)
        : loadWindow8(context, thread, address);
  }

  private static int loadWindow8(BlockContext context, int thread, long address) {
    long offset = address & OFFSET;
    return switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.load8(context.shared, offset);
      case 2 -> LocalMemory.load8(context, thread, offset);
      case 3 -> ByteMemory.load8(context.parameters, offset);
      default -> throw Fault.access(address, 1);
    };
  }

  public static int load16(BlockContext context, int thread, long address) {
    return address >>> Windows.SHIFT == 0
        ? GlobalMemory.load16(context, address)
        : loadWindow16(context, thread, address);
  }

  private static int loadWindow16(BlockContext context, int thread, long address) {
    long offset = address & OFFSET;
    return switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.load16(context.shared, offset);
      case 2 -> LocalMemory.load16(context, thread, offset);
      case 3 -> ByteMemory.load16(context.parameters, offset);
      default -> throw Fault.access(address, 2);
    };
  }

  public static int load32(BlockContext context, int thread, long address) {
    return address >>> Windows.SHIFT == 0
        ? GlobalMemory.load32(context, address)
        : loadWindow32(context, thread, address);
  }

  private static int loadWindow32(BlockContext context, int thread, long address) {
    long offset = address & OFFSET;
    return switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.load32(context.shared, offset);
      case 2 -> LocalMemory.load32(context, thread, offset);
      case 3 -> ByteMemory.load32(context.parameters, offset);
      default -> throw Fault.access(address, 4);
    };
  }

  public static long load64(BlockContext context, int thread, long address) {
    return address >>> Windows.SHIFT == 0
        ? GlobalMemory.load64(context, address)
        : loadWindow64(context, thread, address);
  }

  private static long loadWindow64(BlockContext context, int thread, long address) {
    long offset = address & OFFSET;
    return switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.load64(context.shared, offset);
      case 2 -> LocalMemory.load64(context, thread, offset);
      case 3 -> ByteMemory.load64(context.parameters, offset);
      default -> throw Fault.access(address, 8);
    };
  }

  public static float loadFloat(BlockContext context, int thread, long address) {
    return address >>> Windows.SHIFT == 0
        ? GlobalMemory.loadFloat(context, address)
        : loadWindowFloat(context, thread, address);
  }

  private static float loadWindowFloat(BlockContext context, int thread, long address) {
    long offset = address & OFFSET;
    return switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.loadFloat(context.shared, offset);
      case 2 -> LocalMemory.loadFloat(context, thread, offset);
      case 3 -> ByteMemory.loadFloat(context.parameters, offset);
      default -> throw Fault.access(address, 4);
    };
  }

  public static double loadDouble(BlockContext context, int thread, long address) {
    return address >>> Windows.SHIFT == 0
        ? GlobalMemory.loadDouble(context, address)
        : loadWindowDouble(context, thread, address);
  }

  private static double loadWindowDouble(BlockContext context, int thread, long address) {
    long offset = address & OFFSET;
    return switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.loadDouble(context.shared, offset);
      case 2 -> LocalMemory.loadDouble(context, thread, offset);
      case 3 -> ByteMemory.loadDouble(context.parameters, offset);
      default -> throw Fault.access(address, 8);
    };
  }

  public static void store8(BlockContext context, int thread, long address, int value) {
    if (address >>> Windows.SHIFT == 0) {
      GlobalMemory.store8(context, address, value);
    } else {
      storeWindow8(context, thread, address, value);
    }
  }

  private static void storeWindow8(BlockContext context, int thread, long address, int value) {
    long offset = address & OFFSET;
    switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.store8(context.shared, offset, value);
      case 2 -> LocalMemory.store8(context, thread, offset, value);
      default -> throw Fault.access(address, 1);
    }
  }

  public static void store16(BlockContext context, int thread, long address, int value) {
    if (address >>> Windows.SHIFT == 0) {
      GlobalMemory.store16(context, address, value);
    } else {
      storeWindow16(context, thread, address, value);
    }
  }

  private static void storeWindow16(BlockContext context, int thread, long address, int value) {
    long offset = address & OFFSET;
    switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.store16(context.shared, offset, value);
      case 2 -> LocalMemory.store16(context, thread, offset, value);
      default -> throw Fault.access(address, 2);
    }
  }

  public static void store32(BlockContext context, int thread, long address, int value) {
    if (address >>> Windows.SHIFT == 0) {
      GlobalMemory.store32(context, address, value);
    } else {
      storeWindow32(context, thread, address, value);
    }
  }

  private static void storeWindow32(BlockContext context, int thread, long address, int value) {
    long offset = address & OFFSET;
    switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.store32(context.shared, offset, value);
      case 2 -> LocalMemory.store32(context, thread, offset, value);
      default -> throw Fault.access(address, 4);
    }
  }

  public static void store64(BlockContext context, int thread, long address, long value) {
    if (address >>> Windows.SHIFT == 0) {
      GlobalMemory.store64(context, address, value);
    } else {
      storeWindow64(context, thread, address, value);
    }
  }

  private static void storeWindow64(BlockContext context, int thread, long address, long value) {
    long offset = address & OFFSET;
    switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.store64(context.shared, offset, value);
      case 2 -> LocalMemory.store64(context, thread, offset, value);
      default -> throw Fault.access(address, 8);
    }
  }

  public static void storeFloat(BlockContext context, int thread, long address, float value) {
    if (address >>> Windows.SHIFT == 0) {
      GlobalMemory.storeFloat(context, address, value);
    } else {
      storeWindowFloat(context, thread, address, value);
    }
  }

  private static void storeWindowFloat(
      BlockContext context, int thread, long address, float value) {
    long offset = address & OFFSET;
    switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.storeFloat(context.shared, offset, value);
      case 2 -> LocalMemory.storeFloat(context, thread, offset, value);
      default -> throw Fault.access(address, 4);
    }
  }

  public static void storeDouble(BlockContext context, int thread, long address, double value) {
    if (address >>> Windows.SHIFT == 0) {
      GlobalMemory.storeDouble(context, address, value);
    } else {
      storeWindowDouble(context, thread, address, value);
    }
  }

  private static void storeWindowDouble(
      BlockContext context, int thread, long address, double value) {
    long offset = address & OFFSET;
    switch ((int) (address >>> Windows.SHIFT)) {
      case 1 -> ByteMemory.storeDouble(context.shared, offset, value);
      case 2 -> LocalMemory.storeDouble(context, thread, offset, value);
      default -> throw Fault.access(address, 8);
    }
  }
}
