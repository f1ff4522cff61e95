// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlModes;
import io.outboard.nvml.NvmlResult;
import io.outboard.softgpu.device.Device;
import io.outboard.wire.Native;
import java.util.Optional;

/**
 * The modes that a device without any has, and what a board is cut into: a software GPU is cut from
 * the start or not at all (NVML API, "Multi Instance GPU Management").
 */
final class ManagedModes implements NvmlModes {
  /** {@code NVML_DEVICE_MIG_ENABLE}. */
  private static final int ENABLED = 1;

  private final Management management;

  ManagedModes(Management management) {
    this.management = management;
  }

  @Override
  public int nvmlDeviceGetPersistenceMode(long device, long mode) {
    return management.answer(mode, device, 0);
  }

  @Override
  public int nvmlDeviceGetComputeMode(long device, long mode) {
    return management.answer(mode, device, 0);
  }

  @Override
  public int nvmlDeviceGetDisplayMode(long device, long mode) {
    return management.answer(mode, device, 0);
  }

  @Override
  public int nvmlDeviceGetDisplayActive(long device, long active) {
    return management.answer(active, device, 0);
  }

  @Override
  public int nvmlDeviceGetMigMode(long device, long current, long pending) {
    int result = management.check(pending, device);
    if (result == NvmlResult.SUCCESS && !Management.isCut(device)) {
      result = NvmlResult.NOT_SUPPORTED;
    }
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(pending, ENABLED);
      result = management.answer(current, device, ENABLED);
    }
    return result;
  }

  @Override
  public int nvmlDeviceIsMigDeviceHandle(long device, long is) {
    int result = management.check(is, device);
    return result == NvmlResult.SUCCESS
        ? management.answer(is, device, management.slice(device).isPresent() ? 1 : 0)
        : result;
  }

  @Override
  public int nvmlDeviceGetMaxMigDeviceCount(long device, long count) {
    int result = management.check(count, device);
    return result == NvmlResult.SUCCESS
        ? management.answer(
            count, device, Management.isCut(device) ? management.device(device).board().parts() : 0)
        : result;
  }

  @Override
  public int nvmlDeviceGetMigDeviceHandleByIndex(long device, int index, long migDevice) {
    int result = management.check(migDevice, device);
    if (result != NvmlResult.SUCCESS) {
      return result;
    }
    if (!Management.isCut(device)) {
      return NvmlResult.NOT_SUPPORTED;
    }
    Optional<Device> slice =
        management.slices(device).filter(one -> one.sliceNumber() == index).findFirst();
    slice.ifPresent(one -> Native.putLong(migDevice, Management.value(one)));
    return slice.isPresent() ? NvmlResult.SUCCESS : NvmlResult.NOT_FOUND;
  }

  @Override
  public int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(long migDevice, long device) {
    int result = ofSlice(migDevice, device);
    if (result == NvmlResult.SUCCESS) {
      Native.putLong(device, management.board(management.device(migDevice)));
    }
    return result;
  }

  /** From 1, as 0 is that of an instance which is the whole board. */
  @Override
  public int nvmlDeviceGetGpuInstanceId(long device, long id) {
    int result = ofSlice(device, id);
    return result == NvmlResult.SUCCESS
        ? management.answer(id, device, management.device(device).sliceNumber() + 1)
        : result;
  }

  @Override
  public int nvmlDeviceGetComputeInstanceId(long device, long id) {
    int result = ofSlice(device, id);
    return result == NvmlResult.SUCCESS ? management.answer(id, device, 0) : result;
  }

  private int ofSlice(long device, long output) {
    int result = management.check(output, device);
    return result == NvmlResult.SUCCESS && management.slice(device).isEmpty()
        ? NvmlResult.INVALID_ARGUMENT
        : result;
  }

  @Override
  public int nvmlDeviceGetVirtualizationMode(long device, long mode) {
    return management.answer(mode, device, 0);
  }
}
