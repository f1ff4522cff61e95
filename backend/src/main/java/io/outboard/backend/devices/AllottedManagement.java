// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlDriverForwarding;
import io.outboard.nvml.NvmlResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.List;

/** Has the vendor's management library show the devices that a session may see, and no others. */
public final class AllottedManagement extends NvmlDriverForwarding {
  /** {@code NVML_DEVICE_UUID_V2_BUFFER_SIZE}. */
  private static final int UUID_BYTES = 96;

  private final List<String> uuids;

  public AllottedManagement(NvmlDriver delegate, List<String> uuids) {
    super(delegate);
    this.uuids = List.copyOf(uuids);
  }

  @Override
  public int nvmlDeviceGetCount_v2(long count) {
    int result = delegate.nvmlDeviceGetCount_v2(count);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(count, uuids.size());
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetHandleByIndex_v2(int index, long device) {
    if (index < 0 || index >= uuids.size()) {
      return NvmlResult.INVALID_ARGUMENT;
    }
    try (Arena arena = Arena.ofConfined()) {
      return delegate.nvmlDeviceGetHandleByUUID(
          arena.allocateFrom(uuids.get(index)).address(), device);
    }
  }

  @Override
  public int nvmlDeviceGetHandleByUUID(long uuid, long device) {
    return visible(delegate.nvmlDeviceGetHandleByUUID(uuid, device), device);
  }

  @Override
  public int nvmlDeviceGetHandleByPciBusId_v2(long name, long device) {
    return visible(delegate.nvmlDeviceGetHandleByPciBusId_v2(name, device), device);
  }

  private int visible(int result, long device) {
    return result != NvmlResult.SUCCESS || index(Native.getLong(device)) >= 0
        ? result
        : NvmlResult.NOT_FOUND;
  }

  @Override
  public int nvmlDeviceGetIndex(long device, long index) {
    int result = delegate.nvmlDeviceGetIndex(device, index);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(index, index(device));
    }
    return result;
  }

  private int index(long device) {
    try (Arena arena = Arena.ofConfined()) {
      var text = arena.allocate(UUID_BYTES);
      int result = delegate.nvmlDeviceGetUUID(device, text.address(), UUID_BYTES);
      return result == NvmlResult.SUCCESS ? uuids.indexOf(text.getString(0)) : -1;
    }
  }
}
