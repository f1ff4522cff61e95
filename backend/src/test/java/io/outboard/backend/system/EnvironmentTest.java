// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The variables that a client sets in its worker. */
class EnvironmentTest {
  private static final AddressLayout TEXT =
      ValueLayout.ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(64, ValueLayout.JAVA_BYTE));
  private static final MethodHandle GETENV =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("getenv"),
              FunctionDescriptor.of(TEXT, ValueLayout.ADDRESS));

  private static String value(String name) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = (MemorySegment) GETENV.invokeExact(arena.allocateFrom(name));
      return found.address() == 0 ? "" : found.getString(0);
    }
  }

  /** No name of a file, of a device, or of what the loader does. */
  @ParameterizedTest
  @CsvSource({
    "CUDA_LAUNCH_BLOCKING, 1",
    "LD_PRELOAD, ''",
    "LD_LIBRARY_PATH, ''",
    "OCL_ICD_VENDORS, ''",
    "POCL_CACHE_DIR, ''",
    "POCL_DEVICES, ''",
    "CUDA_CACHE_PATH, ''",
    "CUDA_VISIBLE_DEVICES, ''",
    "CUDA_MPS_PIPE_DIRECTORY, ''",
    "OUTBOARD_PLUGINS, ''",
  })
  void onlyThoseOnAListAreTheClients(String name, String after) throws Throwable {
    String before = value(name);
    Environment.set(name, "1");
    assertEquals(after.isEmpty() ? before : after, value(name));
  }
}
