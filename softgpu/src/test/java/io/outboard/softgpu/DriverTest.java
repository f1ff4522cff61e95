// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test of a driver; the driver is made in one place. */
abstract class DriverTest {
  static final long MEMORY_BYTES = 256L << 20;

  private final RecordingConsole console = new RecordingConsole();
  private CudaDriver driver;
  private Program program;

  /** The driver under test, with two devices of {@link #MEMORY_BYTES}. */
  CudaDriver create() {
    return SoftGpu.builder(console).devices(2).memoryBytes(MEMORY_BYTES).build();
  }

  @BeforeEach
  void start() {
    driver = create();
    program = Program.onDevice(driver);
  }

  @AfterEach
  void end() {
    int unused = driver.cuDevicePrimaryCtxReset_v2(0);
    if (unused == CudaResult.SUCCESS) {
      program.close();
    }
  }

  final CudaDriver driver() {
    return driver;
  }

  final Program program() {
    return program;
  }

  final RecordingConsole console() {
    return console;
  }
}
