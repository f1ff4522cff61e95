// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Memory for data on its way between the wire and a device, from the C library: it is written as a
 * whole, so that nothing need be cleared.
 */
final class Staging {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle MALLOC =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("malloc"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(JAVA_LONG));

  private Staging() {}

  /** So many bytes, more than 0; 0 if there is no room. */
  static long allocate(long bytes) {
    try {
      return (long) MALLOC.invokeExact(bytes);
    } catch (Throwable e) {
      throw new AssertionError("malloc does not throw", e);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError("free does not throw", e);
    }
  }
}
