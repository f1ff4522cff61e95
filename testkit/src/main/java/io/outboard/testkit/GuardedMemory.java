// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.wire.Native;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Memory that ends at a page that nobody may touch: an access past its end does not go unnoticed.
 */
public final class GuardedMemory {
  private static final int PAGE = 1 << 16;
  private static final int READ_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS = 0x22;

  private static final MethodHandle MMAP =
      downcall(
          "mmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle MPROTECT =
      downcall(
          "mprotect",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private final long start;
  private final long end;

  /** Maps memory for at most {@code bytes} bytes, for as long as the process lives. */
  public GuardedMemory(long bytes) {
    long size = (bytes + PAGE - 1) & -PAGE;
    try {
      start = (long) MMAP.invokeExact(0L, size + PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
      end = start + size;
      if (start == -1 || (int) MPROTECT.invokeExact(end, (long) PAGE, 0) != 0) {
        throw new IllegalStateException("no guarded memory");
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  /** Returns the address of zeroed memory whose last byte is the last before the guard. */
  public long place(long bytes) {
    if (bytes > end - start) {
      throw new IllegalArgumentException("only " + (end - start) + " bytes");
    }
    Native.fill(end - bytes, bytes, (byte) 0);
    return end - bytes;
  }

  private static MethodHandle downcall(String symbol, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(symbol), type);
  }
}
