// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;

/** Primary contexts; CUDA Driver API, "Primary Context Management". */
public final class PrimaryContexts {
  private PrimaryContexts() {}

  /** Whether somebody has retained that of a device. */
  public static boolean isActive(CudaDriver driver, int device) {
    try (NativeBuffer buffer = new NativeBuffer(2L * Integer.BYTES)) {
      long active = buffer.address() + Integer.BYTES;
      return driver.cuDevicePrimaryCtxGetState(device, buffer.address(), active)
              == CudaResult.SUCCESS
          && Native.getInt(active) != 0;
    }
  }
}
