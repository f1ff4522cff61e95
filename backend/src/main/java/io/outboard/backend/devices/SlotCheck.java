// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.DeviceException;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import io.outboard.wire.Slot;

/**
 * Asks a driver for memory, to see whether its addresses lie in the worker's slot. Where they do
 * not, the worker cannot be one of several hosts; it can serve a program alone.
 */
final class SlotCheck {
  private static final long RESERVED = 32L << 20;

  private final CudaDriver driver;
  private final Slot slot;

  SlotCheck(CudaDriver driver, Slot slot) {
    this.driver = driver;
    this.slot = slot;
  }

  /**
   * Looks at each device.
   *
   * @throws DeviceException if some address lies elsewhere, or there is none
   */
  void run() throws DeviceException {
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      check(driver.cuInit(0), "cuInit");
      check(driver.cuDeviceGetCount(buffer.address()), "cuDeviceGetCount");
      int devices = Native.getInt(buffer.address());
      for (int device = 0; device < devices; device++) {
        check(
            driver.cuDevicePrimaryCtxRetain(buffer.address(), device), "cuDevicePrimaryCtxRetain");
        try {
          check(driver.cuCtxSetCurrent(Native.getLong(buffer.address())), "cuCtxSetCurrent");
          look(buffer.address());
        } finally {
          int unused = driver.cuCtxSetCurrent(0);
          unused = driver.cuDevicePrimaryCtxRelease_v2(device);
        }
      }
    }
  }

  private void look(long scratch) throws DeviceException {
    check(driver.cuMemAlloc_v2(scratch, 1), "cuMemAlloc");
    long allocated = Native.getLong(scratch);
    check(driver.cuMemFree_v2(allocated), "cuMemFree");
    check(driver.cuMemAddressReserve(scratch, RESERVED, 0, 0, 0), "cuMemAddressReserve");
    long reserved = Native.getLong(scratch);
    check(driver.cuMemAddressFree(reserved, RESERVED), "cuMemAddressFree");
    require(allocated);
    require(reserved);
  }

  private void require(long address) throws DeviceException {
    if (!slot.holds(address)) {
      throw new DeviceException(
          "this backend cannot be joined: its driver hands out 0x%x, which is not in slot %d"
              .formatted(address, slot.number()));
    }
  }

  private static void check(int result, String call) throws DeviceException {
    if (result != CudaResult.SUCCESS) {
      throw new DeviceException(
          "this backend cannot be joined: its driver answered %s with error %d"
              .formatted(call, result));
    }
  }
}
