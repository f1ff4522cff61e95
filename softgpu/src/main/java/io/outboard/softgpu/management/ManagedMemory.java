// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlMemory;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.MemoryV2;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.wire.Native;
import java.util.List;

/** Memory of devices, as {@code cuMemGetInfo} tells it. */
final class ManagedMemory implements NvmlMemory {
  private final Management management;

  ManagedMemory(Management management) {
    this.management = management;
  }

  @Override
  public int nvmlDeviceGetMemoryInfo(long device, long memory) {
    int result = management.check(memory, device);
    if (result == NvmlResult.SUCCESS) {
      write(memory, memory + 8, device);
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetMemoryInfo_v2(long device, long memory) {
    int result = management.check(memory, device);
    if (result == NvmlResult.SUCCESS && Native.getInt(memory) != MemoryV2.VERSION) {
      result = NvmlResult.ARGUMENT_VERSION_MISMATCH;
    }
    if (result == NvmlResult.SUCCESS) {
      Native.putLong(memory + MemoryV2.RESERVED, 0);
      write(memory + MemoryV2.TOTAL, memory + MemoryV2.FREE, device);
    }
    return result;
  }

  /** Free and used follow each other. Of a board that is cut it is that of its slices here. */
  private void write(long total, long free, long device) {
    List<DeviceMemory> parts =
        Management.isCut(device)
            ? management.slices(device).map(Device::memory).toList()
            : List.of(management.device(device).memory());
    long size = parts.stream().mapToLong(DeviceMemory::size).sum();
    long left = parts.stream().mapToLong(DeviceMemory::free).sum();
    Native.putLong(total, size);
    Native.putLong(free, left);
    Native.putLong(free + 8, size - left);
  }

  @Override
  public int nvmlDeviceGetMemoryBusWidth(long device, long bits) {
    int result = management.check(bits, device);
    return result == NvmlResult.SUCCESS
        ? management.answer(
            bits,
            device,
            management.device(device).attribute(DeviceAttribute.GLOBAL_MEMORY_BUS_WIDTH))
        : result;
  }
}
