// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Memory straight from the kernel: pages come into being, zeroed, when they are first touched, so
 * that a large mapping costs nothing before ({@code mmap(2)}, {@code MAP_NORESERVE}).
 */
final class Mapping {
  private static final int PROT_READ_WRITE = 3;

  /** MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE on Linux. */
  private static final int FLAGS = 0x02 | 0x20 | 0x4000;

  private static final MethodHandle MMAP =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("mmap"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG));

  private Mapping() {}

  /** Maps {@code bytes} bytes for the life of the process. */
  static MemorySegment map(long bytes) {
    long address;
    try {
      address = (long) MMAP.invokeExact(0L, bytes, PROT_READ_WRITE, FLAGS, -1, 0L);
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
    if (address == -1) {
      throw new OutOfMemoryError("cannot map " + bytes + " bytes of device memory");
    }
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }
}
