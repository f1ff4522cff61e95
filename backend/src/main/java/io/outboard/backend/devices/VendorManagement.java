// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.SessionContext;
import io.outboard.backend.system.Log;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.vendor.VendorNvml;
import io.outboard.softgpu.SoftGpu;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Opens the vendor's management library. */
public final class VendorManagement {
  /** Its name. */
  public static final String LIBRARY = "libnvidia-ml.so.1";

  private VendorManagement() {}

  /** The library if it is there and finds a device, else null. */
  static NvmlDriver usable(int client) {
    try (Arena arena = Arena.ofConfined()) {
      NvmlDriver driver = VendorNvml.load(LIBRARY, client);
      return driver.nvmlInit_v2() == NvmlResult.SUCCESS && hasDevice(driver, arena) ? driver : null;
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
      return null;
    }
  }

  private static boolean hasDevice(NvmlDriver driver, Arena arena) {
    MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
    boolean some =
        driver.nvmlDeviceGetCount_v2(count.address()) == NvmlResult.SUCCESS
            && count.get(ValueLayout.JAVA_INT, 0) > 0;
    driver.nvmlShutdown();
    return some;
  }

  /** The library for figures of this process; where it is not, or has no driver, null. */
  static NvmlDriver ofThisProcess() {
    try {
      NvmlDriver driver = VendorNvml.load(LIBRARY, (int) ProcessHandle.current().pid());
      return driver.nvmlInit_v2() == NvmlResult.SUCCESS ? driver : null;
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
      return null;
    }
  }

  /** The library beside devices that are there; where it is not, one that has no driver. */
  static NvmlDriver open(SessionContext context) {
    try {
      return VendorNvml.load(LIBRARY, context.process());
    } catch (IllegalArgumentException e) {
      context.message("the machine with the GPUs has no " + LIBRARY + ": " + e.getMessage());
      return SoftGpu.builder(new SilentConsole()).devices(0).build().management(0);
    }
  }
}
