// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenClDeviceListTest {
  /** One platform, without devices. */
  private static final class Bare extends OpenClDriverForwarding {
    Bare() {
      super((OpenClDriver) null);
    }

    @Override
    public int clGetPlatformIDs(int numEntries, long platforms, long numPlatforms) {
      Native.putInt(numPlatforms, 1);
      return OpenClResult.SUCCESS;
    }

    @Override
    public int clGetDeviceIDs(long platform, long type, int numEntries, long devices, long num) {
      return OpenClResult.DEVICE_NOT_FOUND;
    }
  }

  @Test
  void aPlatformMayHaveNoDevices() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(List.of(), new OpenClDeviceList(new Bare(), arena).all(false));
    }
  }
}
