// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The process's own environment, as the vendor's library reads it. */
final class Environment {
  private static final MethodHandle SETENV =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("setenv"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT));

  private Environment() {}

  /** Sets a variable; only the vendor's own, whatever the client says. */
  static void set(String name, String value) {
    if (!name.startsWith("CUDA_")) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      int unused = (int) SETENV.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
    } catch (Throwable e) {
      throw new AssertionError("setenv does not throw", e);
    }
  }
}
