// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceUuid;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The devices that CUDA shows where the operator has limited it. The management library heeds no
 * variable, and programs such as PyTorch take both to show the same devices in the same order.
 */
final class ShownDevices {
  private static final String VARIABLE = "CUDA_VISIBLE_DEVICES";

  private ShownDevices() {}

  /** Whether the operator has limited CUDA. */
  static boolean areChosen() {
    return System.getenv(VARIABLE) != null;
  }

  /**
   * The UUIDs of CUDA's devices; none where the management library knows one of them by another
   * name, as it does an instance of a GPU that is cut.
   */
  static Optional<List<String>> of(CudaDriver cuda, NvmlDriver management) {
    List<String> uuids = uuids(cuda);
    return areKnown(uuids, management) ? Optional.of(uuids) : Optional.empty();
  }

  private static List<String> uuids(CudaDriver cuda) {
    List<String> uuids = new ArrayList<>();
    try (NativeBuffer buffer = new NativeBuffer(DeviceUuid.BYTES)) {
      long out = buffer.address();
      boolean told =
          cuda.cuInit(0) == CudaResult.SUCCESS && cuda.cuDeviceGetCount(out) == CudaResult.SUCCESS;
      int count = told ? Native.getInt(out) : 0;
      for (int device = 0; device < count; device++) {
        if (cuda.cuDeviceGetUuid_v2(out, device) == CudaResult.SUCCESS) {
          uuids.add(DeviceUuid.at(out));
        }
      }
    }
    return uuids;
  }

  private static boolean areKnown(List<String> uuids, NvmlDriver management) {
    if (management.nvmlInit_v2() != NvmlResult.SUCCESS) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      long device = arena.allocate(Long.BYTES, Long.BYTES).address();
      return uuids.stream()
          .map(uuid -> arena.allocateFrom(uuid).address())
          .allMatch(
              uuid -> management.nvmlDeviceGetHandleByUUID(uuid, device) == NvmlResult.SUCCESS);
    } finally {
      management.nvmlShutdown();
    }
  }
}
