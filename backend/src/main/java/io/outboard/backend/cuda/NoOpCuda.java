// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.library.NoOpDriver;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.Set;

/** Says yes to nearly everything. */
public final class NoOpCuda extends NoOpDriver {
  /** Those of the warm-up that write a handle's value, or an address, to their first argument. */
  private static final Set<String> CREATING =
      Set.of(
          "cuDevicePrimaryCtxRetain",
          "cuModuleLoadData",
          "cuModuleGetFunction",
          "cuLibraryLoadData",
          "outboardLibraryKernel",
          "cuKernelGetFunction",
          "cuStreamCreate",
          "cuEventCreate",
          "cuMemAlloc_v2");

  private NoOpCuda() {}

  /** One of the classes of {@link NoOpDriver}. */
  public static CudaDriver driver(int number) {
    return create(CudaDriver.class, number, new NoOpCuda()::answer);
  }

  private int answer(String call, Object[] arguments) {
    if (call.equals("cuStreamIsCapturing")) {
      Native.putInt((long) arguments[1], 0);
    }
    if (call.equals("cuStreamSynchronize")) {
      await();
    }
    if (!CREATING.contains(call)) {
      return CudaResult.SUCCESS;
    }
    long place = (long) arguments[0];
    if (place == 0) {
      return CudaResult.INVALID_VALUE;
    }
    create(place);
    return CudaResult.SUCCESS;
  }
}
