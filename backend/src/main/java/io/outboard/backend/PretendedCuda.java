// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A driver that says yes to nearly everything and does nothing, but sometimes waits; what it
 * creates has made-up values.
 */
final class PretendedCuda {
  private static final long FIRST_VALUE = 0x1000;

  /** Those of the rehearsal that write a handle's value, or an address, to their first argument. */
  private static final Set<String> CREATING =
      Set.of(
          "cuDevicePrimaryCtxRetain",
          "cuModuleLoadData",
          "cuModuleGetFunction",
          "cuStreamCreate",
          "cuEventCreate",
          "cuMemAlloc_v2");

  private static final int WAITS_TO_A_LONG_ONE = 256;
  private static final long LONG_WAIT_MS = 4;

  private int waits;
  private final AtomicLong value = new AtomicLong(FIRST_VALUE);

  private PretendedCuda() {}

  /** One of the classes of {@link PretendedDrivers}. */
  static CudaDriver driver(int number) {
    return PretendedDrivers.create(CudaDriver.class, number, new PretendedCuda()::answer);
  }

  private int answer(String call, Object[] arguments) {
    if (call.equals("cuStreamIsCapturing")) {
      Native.putInt((long) arguments[1], 0);
    }
    if (call.equals("cuStreamSynchronize") && ++waits % WAITS_TO_A_LONG_ONE == 0) {
      Worker.pause(LONG_WAIT_MS);
    }
    if (!CREATING.contains(call)) {
      return CudaResult.SUCCESS;
    }
    long place = (long) arguments[0];
    if (place == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(place, value.incrementAndGet());
    return CudaResult.SUCCESS;
  }
}
