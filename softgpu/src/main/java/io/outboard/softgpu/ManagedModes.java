// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.nvml.NvmlModes;

/** The modes that a device without any has. */
final class ManagedModes implements NvmlModes {
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
  public int nvmlDeviceIsMigDeviceHandle(long device, long is) {
    return management.answer(is, device, 0);
  }

  @Override
  public int nvmlDeviceGetMaxMigDeviceCount(long device, long count) {
    return management.answer(count, device, 0);
  }

  @Override
  public int nvmlDeviceGetVirtualizationMode(long device, long mode) {
    return management.answer(mode, device, 0);
  }
}
