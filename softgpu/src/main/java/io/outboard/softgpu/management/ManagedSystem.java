// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.NvmlSystem;
import io.outboard.softgpu.call.DeviceCalls;
import io.outboard.wire.Native;

/** Initialisation and versions. */
final class ManagedSystem implements NvmlSystem {
  /**
   * The branch of the vendor's driver that CUDA 13.0 comes with, for programs that compare: no
   * driver of that branch has these numbers.
   */
  private static final String DRIVER = "580.00.00";

  private static final String LIBRARY = "13.0";

  private final Management management;

  ManagedSystem(Management management) {
    this.management = management;
  }

  @Override
  public int nvmlInit_v2() {
    return management.begin();
  }

  @Override
  public int nvmlInitWithFlags(int flags) {
    return management.begin();
  }

  @Override
  public int nvmlShutdown() {
    return management.end();
  }

  @Override
  public int nvmlSystemGetDriverVersion(long version, int length) {
    int result = management.check(version);
    return result == NvmlResult.SUCCESS ? Management.text(version, length, DRIVER) : result;
  }

  @Override
  public int nvmlSystemGetNVMLVersion(long version, int length) {
    return version == 0 ? NvmlResult.INVALID_ARGUMENT : Management.text(version, length, LIBRARY);
  }

  @Override
  public int nvmlSystemGetCudaDriverVersion_v2(long version) {
    int result = management.check(version);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(version, DeviceCalls.DRIVER_VERSION);
    }
    return result;
  }

  @Override
  public int nvmlUnitGetCount(long count) {
    int result = management.check(count);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(count, 0);
    }
    return result;
  }
}
