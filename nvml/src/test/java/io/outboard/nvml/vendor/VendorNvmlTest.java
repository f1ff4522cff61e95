// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.ProcessV1;
import io.outboard.nvml.struct.ProcessV2;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binding, to a small library that stands in for the vendor's. */
final class VendorNvmlTest {
  private static final int CLIENT = 4711;

  @TempDir private static Path folder;

  private static VendorNvml nvml;

  @BeforeAll
  static void load() throws InterruptedException {
    Path library = folder.resolve("libvendor.so");
    assumeTrue(compiled(library), "no C compiler");
    nvml = VendorNvml.load(library.toString(), CLIENT);
  }

  private static boolean compiled(Path library) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "gcc", "-shared", "-fPIC", "-o", library.toString(), "src/test/c/vendor.c")
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aFunctionThatTheLibraryLacksIsNotSupported() {
    assertEquals(NvmlResult.SUCCESS, nvml.nvmlInit_v2());
    assertEquals(NvmlResult.NOT_SUPPORTED, nvml.nvmlShutdown());
    assertTrue(nvml.has(1));
    assertFalse(nvml.has(3));
  }

  @Test
  void theProcessThatServesTheClientHasItsNumber() {
    try (Arena arena = Arena.ofConfined()) {
      long count = arena.allocate(8, 8).address();
      long processes = arena.allocate(2L * ProcessV2.BYTES, 8).address();
      Native.putInt(count, 0);
      assertEquals(
          NvmlResult.INSUFFICIENT_SIZE, nvml.nvmlDeviceGetComputeRunningProcesses_v3(0, count, 0));
      assertEquals(2, Native.getInt(count));
      assertEquals(
          NvmlResult.SUCCESS, nvml.nvmlDeviceGetComputeRunningProcesses_v3(0, count, processes));
      assertEquals(1, Native.getInt(processes));
      assertEquals(CLIENT, Native.getInt(processes + ProcessV2.BYTES));
      assertEquals(200, Native.getLong(processes + ProcessV2.BYTES + ProcessV1.USED));
    }
  }
}
