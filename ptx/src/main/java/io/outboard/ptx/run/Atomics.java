// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.math.AtomicOperation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Atomic operations; each returns what was there before. In device memory other workers may take
 * part; shared and local memory belong to the worker that runs the block.
 */
public final class Atomics {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Atomics() {}

  public static int update32(BlockContext context, long address, int operand, int operation) {
    try {
      return updateDevice32(context.memory(address), context.offset(address), operand, operation);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 4);
    }
  }

  private static int updateDevice32(MemorySegment memory, long offset, int operand, int operation) {
    if (operation == AtomicOperation.ADD) {
      return (int) INT.getAndAdd(memory, offset, operand);
    }
    if (operation == AtomicOperation.EXCHANGE) {
      return (int) INT.getAndSet(memory, offset, operand);
    }
    int before = (int) INT.getVolatile(memory, offset);
    for (; ; ) {
      int after = AtomicOperation.apply(operation, before, operand);
      int seen = (int) INT.compareAndExchange(memory, offset, before, after);
      if (seen == before) {
        return before;
      }
      before = seen;
    }
  }

  public static int update32(byte[] memory, long address, int operand, int operation) {
    int before = ByteMemory.load32(memory, address);
    ByteMemory.store32(memory, address, AtomicOperation.apply(operation, before, operand));
    return before;
  }

  public static int update32(
      BlockContext context, int thread, long address, int operand, int operation) {
    if (address >>> Windows.SHIFT == 0) {
      return update32(context, address, operand, operation);
    }
    int before = GenericMemory.load32(context, thread, address);
    GenericMemory.store32(
        context, thread, address, AtomicOperation.apply(operation, before, operand));
    return before;
  }

  public static int swap32(BlockContext context, long address, int expected, int wanted) {
    try {
      return (int)
          INT.compareAndExchange(
              context.memory(address), context.offset(address), expected, wanted);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 4);
    }
  }

  public static int swap32(byte[] memory, long address, int expected, int wanted) {
    int before = ByteMemory.load32(memory, address);
    if (before == expected) {
      ByteMemory.store32(memory, address, wanted);
    }
    return before;
  }

  public static int swap32(
      BlockContext context, int thread, long address, int expected, int wanted) {
    if (address >>> Windows.SHIFT == 0) {
      return swap32(context, address, expected, wanted);
    }
    int before = GenericMemory.load32(context, thread, address);
    if (before == expected) {
      GenericMemory.store32(context, thread, address, wanted);
    }
    return before;
  }

  public static long update64(BlockContext context, long address, long operand, int operation) {
    try {
      return updateDevice64(context.memory(address), context.offset(address), operand, operation);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 8);
    }
  }

  private static long updateDevice64(
      MemorySegment memory, long offset, long operand, int operation) {
    if (operation == AtomicOperation.ADD) {
      return (long) LONG.getAndAdd(memory, offset, operand);
    }
    if (operation == AtomicOperation.EXCHANGE) {
      return (long) LONG.getAndSet(memory, offset, operand);
    }
    long before = (long) LONG.getVolatile(memory, offset);
    for (; ; ) {
      long after = AtomicOperation.apply(operation, before, operand);
      long seen = (long) LONG.compareAndExchange(memory, offset, before, after);
      if (seen == before) {
        return before;
      }
      before = seen;
    }
  }

  public static long update64(byte[] memory, long address, long operand, int operation) {
    long before = ByteMemory.load64(memory, address);
    ByteMemory.store64(memory, address, AtomicOperation.apply(operation, before, operand));
    return before;
  }

  public static long update64(
      BlockContext context, int thread, long address, long operand, int operation) {
    if (address >>> Windows.SHIFT == 0) {
      return update64(context, address, operand, operation);
    }
    long before = GenericMemory.load64(context, thread, address);
    GenericMemory.store64(
        context, thread, address, AtomicOperation.apply(operation, before, operand));
    return before;
  }

  public static long swap64(BlockContext context, long address, long expected, long wanted) {
    try {
      return (long)
          LONG.compareAndExchange(
              context.memory(address), context.offset(address), expected, wanted);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Fault.access(address, 8);
    }
  }

  public static long swap64(byte[] memory, long address, long expected, long wanted) {
    long before = ByteMemory.load64(memory, address);
    if (before == expected) {
      ByteMemory.store64(memory, address, wanted);
    }
    return before;
  }

  public static long swap64(
      BlockContext context, int thread, long address, long expected, long wanted) {
    if (address >>> Windows.SHIFT == 0) {
      return swap64(context, address, expected, wanted);
    }
    long before = GenericMemory.load64(context, thread, address);
    if (before == expected) {
      GenericMemory.store64(context, thread, address, wanted);
    }
    return before;
  }

  /** Half-precision updates work on the aligned word that the half is in. */
  public static int update16(BlockContext context, long address, int operand, int operation) {
    long word = halfWord(address);
    int shift = halfShift(address);
    for (; ; ) {
      int before = GlobalMemory.load32(context, word);
      int after = withHalf(before, shift, operand, operation);
      if (swap32(context, word, before, after) == before) {
        return before >>> shift & 0xffff;
      }
    }
  }

  public static int update16(byte[] memory, long address, int operand, int operation) {
    int before = ByteMemory.load16(memory, address) & 0xffff;
    ByteMemory.store16(memory, address, AtomicOperation.apply(operation, before, operand));
    return before;
  }

  public static int update16(
      BlockContext context, int thread, long address, int operand, int operation) {
    if (address >>> Windows.SHIFT == 0) {
      return update16(context, address, operand, operation);
    }
    int before = GenericMemory.load16(context, thread, address) & 0xffff;
    GenericMemory.store16(
        context, thread, address, AtomicOperation.apply(operation, before, operand));
    return before;
  }

  public static int swap16(BlockContext context, long address, int expected, int wanted) {
    long word = halfWord(address);
    int shift = halfShift(address);
    for (; ; ) {
      int before = GlobalMemory.load32(context, word);
      int half = before >>> shift & 0xffff;
      if (half != expected) {
        return half;
      }
      int after = (before & ~(0xffff << shift)) | (wanted & 0xffff) << shift;
      if (swap32(context, word, before, after) == before) {
        return half;
      }
    }
  }

  public static int swap16(byte[] memory, long address, int expected, int wanted) {
    int before = ByteMemory.load16(memory, address) & 0xffff;
    if (before == expected) {
      ByteMemory.store16(memory, address, wanted);
    }
    return before;
  }

  public static int swap16(
      BlockContext context, int thread, long address, int expected, int wanted) {
    if (address >>> Windows.SHIFT == 0) {
      return swap16(context, address, expected, wanted);
    }
    int before = GenericMemory.load16(context, thread, address) & 0xffff;
    if (before == expected) {
      GenericMemory.store16(context, thread, address, wanted);
    }
    return before;
  }

  private static long halfWord(long address) {
    if ((address & 1) != 0) {
      throw Fault.access(address, 2);
    }
    return address & ~3L;
  }

  private static int halfShift(long address) {
    return (int) (address & 2) * 8;
  }

  private static int withHalf(int word, int shift, int operand, int operation) {
    int half = AtomicOperation.apply(operation, word >>> shift & 0xffff, operand) & 0xffff;
    return (word & ~(0xffff << shift)) | half << shift;
  }
}
