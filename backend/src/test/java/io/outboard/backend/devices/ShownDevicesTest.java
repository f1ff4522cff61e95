// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceUuid;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Software GPUs in the place of a driver that a variable limits and of its management library. */
class ShownDevicesTest {
  private static final int UUID_BYTES = 96;

  private static final CudaDriver LIMITED = gpus().only(List.of(2, 0)).build();
  private static final NvmlDriver ALL = gpus().build().management(0);

  private static SoftGpu.Builder gpus() {
    return SoftGpu.builder(new SilentConsole()).devices(3).memoryBytes(64 << 20);
  }

  private static void ok(int result) {
    assertEquals(NvmlResult.SUCCESS, result);
  }

  private static String uuidAt(NvmlDriver management, int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(UUID_BYTES, Long.BYTES);
      ok(management.nvmlDeviceGetHandleByIndex_v2(index, out.address()));
      long device = Native.getLong(out.address());
      ok(management.nvmlDeviceGetUUID(device, out.address(), UUID_BYTES));
      return out.getString(0);
    }
  }

  private static String uuidOf(CudaDriver cuda, int device) {
    try (NativeBuffer buffer = new NativeBuffer(DeviceUuid.BYTES)) {
      assertEquals(CudaResult.SUCCESS, cuda.cuDeviceGetUuid_v2(buffer.address(), device));
      return DeviceUuid.at(buffer.address());
    }
  }

  @Test
  void theManagementLibraryShowsWhatCudaShowsInItsOrder() {
    List<String> shown = ShownDevices.of(LIMITED, ALL).orElseThrow();
    NvmlDriver management = new AllottedManagement(ALL, shown);
    ok(management.nvmlInit_v2());
    try (NativeBuffer count = new NativeBuffer(Integer.BYTES)) {
      ok(management.nvmlDeviceGetCount_v2(count.address()));
      assertEquals(2, Native.getInt(count.address()));
    }
    for (int device = 0; device < 2; device++) {
      assertEquals(uuidOf(LIMITED, device), uuidAt(management, device));
    }
    assertEquals(uuidAt(ALL, 2), uuidAt(management, 0));
    ok(management.nvmlShutdown());
  }

  /** An instance of a GPU that is cut has a UUID of its own. */
  @Test
  void whereTheLibraryKnowsADeviceByAnotherNameAllAreShown() {
    CudaDriver instances =
        new CudaDriverForwarding(LIMITED) {
          @Override
          public int cuDeviceGetUuid_v2(long uuid, int device) {
            Native.putLong(uuid, device);
            Native.putLong(uuid + Long.BYTES, 4711);
            return CudaResult.SUCCESS;
          }
        };
    assertEquals(Optional.empty(), ShownDevices.of(instances, ALL));
  }
}
