// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

/** The memory of one thread: a stretch of an array that all threads of a block share out. */
public final class LocalMemory {
  private LocalMemory() {}

  private static long place(BlockContext context, int thread, long address, int bytes) {
    if (address < 0 || address > context.localBytes - bytes || (address & bytes - 1) != 0) {
      throw Fault.access(Windows.LOCAL + address, bytes);
    }
    return (long) thread * context.localBytes + address;
  }

  public static int load8(BlockContext context, int thread, long address) {
    return ByteMemory.load8(context.local, place(context, thread, address, 1));
  }

  public static int load16(BlockContext context, int thread, long address) {
    return ByteMemory.load16(context.local, place(context, thread, address, 2));
  }

  public static int load32(BlockContext context, int thread, long address) {
    return ByteMemory.load32(context.local, place(context, thread, address, 4));
  }

  public static long load64(BlockContext context, int thread, long address) {
    return ByteMemory.load64(context.local, place(context, thread, address, 8));
  }

  public static float loadFloat(BlockContext context, int thread, long address) {
    return ByteMemory.loadFloat(context.local, place(context, thread, address, 4));
  }

  public static double loadDouble(BlockContext context, int thread, long address) {
    return ByteMemory.loadDouble(context.local, place(context, thread, address, 8));
  }

  public static void store8(BlockContext context, int thread, long address, int value) {
    ByteMemory.store8(context.local, place(context, thread, address, 1), value);
  }

  public static void store16(BlockContext context, int thread, long address, int value) {
    ByteMemory.store16(context.local, place(context, thread, address, 2), value);
  }

  public static void store32(BlockContext context, int thread, long address, int value) {
    ByteMemory.store32(context.local, place(context, thread, address, 4), value);
  }

  public static void store64(BlockContext context, int thread, long address, long value) {
    ByteMemory.store64(context.local, place(context, thread, address, 8), value);
  }

  public static void storeFloat(BlockContext context, int thread, long address, float value) {
    ByteMemory.storeFloat(context.local, place(context, thread, address, 4), value);
  }

  public static void storeDouble(BlockContext context, int thread, long address, double value) {
    ByteMemory.storeDouble(context.local, place(context, thread, address, 8), value);
  }
}
