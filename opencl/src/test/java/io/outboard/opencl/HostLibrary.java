// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The OpenCL library of this machine; what needs it is skipped where it has no device. */
final class HostLibrary {
  private static final long ALL_DEVICES = 0xFFFFFFFFL;

  private HostLibrary() {}

  /** The library; the handle of its first device goes to an address. */
  static VendorOpenCl withDevice(long address) {
    VendorOpenCl host = load();
    assumeTrue(host != null, "this machine has no libOpenCL.so.1");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment platform = arena.allocate(JAVA_LONG);
      boolean some = host.clGetPlatformIDs(1, platform.address(), 0) == OpenClResult.SUCCESS;
      assumeTrue(some, "this machine has no OpenCL platform");
      long first = platform.get(JAVA_LONG, 0);
      assertEquals(OpenClResult.SUCCESS, host.clGetDeviceIDs(first, ALL_DEVICES, 1, address, 0));
    }
    return host;
  }

  private static VendorOpenCl load() {
    try {
      return VendorOpenCl.load("libOpenCL.so.1");
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
