// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.outboard.cli.device.HostReach;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.vendor.VendorCudaDriver;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the driver of this machine whether kernels of its GPUs can use pageable memory ({@code
 * CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS}), and so all memory of the worker that runs them. It
 * loads the driver into this process.
 */
public final class PageableCheck {
  private static final String LIBRARY = "libcuda.so.1";
  private static final int PAGEABLE_MEMORY_ACCESS = 88;

  private static final String OWN =
      "the libcuda.so.1 that is found here is Outboard's: unset LD_LIBRARY_PATH to ask the driver"
          + " whether kernels can use pageable memory";

  private PageableCheck() {}

  /** A finding for each GPU; none where there is no driver, which others tell. */
  public static List<Finding> ofThisMachine() {
    try {
      CudaDriver driver = VendorCudaDriver.load(LIBRARY);
      return isOwn() ? List.of(Finding.doubtful(OWN)) : of(driver);
    } catch (IllegalArgumentException _) {
      return List.of();
    }
  }

  /**
   * Whether what was found is a frontend of Outboard's, which passes this attribute on to nobody.
   */
  private static boolean isOwn() {
    try {
      return Files.readString(Path.of("/proc/self/maps")).contains("/liboutboard.so");
    } catch (IOException _) {
      return false;
    }
  }

  /** A finding for each GPU of a driver. */
  static List<Finding> of(CudaDriver driver) {
    List<Finding> findings = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_INT);
      boolean usable =
          driver.cuInit(0) == CudaResult.SUCCESS
              && driver.cuDeviceGetCount(value.address()) == CudaResult.SUCCESS;
      int count = usable ? value.get(JAVA_INT, 0) : 0;
      for (int gpu = 0; gpu < count; gpu++) {
        findings.add(finding(driver, gpu, value));
      }
    }
    return findings;
  }

  private static Finding finding(CudaDriver driver, int gpu, MemorySegment value) {
    int result = driver.cuDeviceGetAttribute(value.address(), PAGEABLE_MEMORY_ACCESS, gpu);
    if (result != CudaResult.SUCCESS) {
      return Finding.doubtful(
          "GPU %d does not say whether kernels can use pageable memory: error %d"
              .formatted(gpu, result));
    }
    return value.get(JAVA_INT, 0) == 0
        ? Finding.good("GPU %d: kernels reach no pageable memory of their worker".formatted(gpu))
        : Finding.doubtful(
            "GPU %d: %s; 'serve --strict-isolation' refuses it"
                .formatted(gpu, HostReach.PAGEABLE.text()));
  }
}
