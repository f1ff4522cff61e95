// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlActivity;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.ProcessV1;
import io.outboard.nvml.struct.ProcessV2;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.wire.Native;

/**
 * The activity of devices. Each session has devices of its own, so that they have one process at
 * most.
 */
final class ManagedActivity implements NvmlActivity {
  private final Management management;
  private final int process;

  ManagedActivity(Management management, int process) {
    this.management = management;
    this.process = process;
  }

  /** The time that kernels took is not kept. */
  @Override
  public int nvmlDeviceGetUtilizationRates(long device, long utilization) {
    int result = management.answer(utilization, device, 0);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(utilization + 4, 0);
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses(long device, long count, long processes) {
    return running(device, count, processes, false);
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses_v2(long device, long count, long processes) {
    return running(device, count, processes, true);
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses_v3(long device, long count, long processes) {
    return running(device, count, processes, true);
  }

  private int running(long device, long count, long processes, boolean instances) {
    int result = management.check(count, device);
    if (result != NvmlResult.SUCCESS) {
      return result;
    }
    DeviceMemory memory = management.device(device).memory();
    long used = memory.size() - memory.free();
    int room = Native.getInt(count);
    Native.putInt(count, used == 0 ? 0 : 1);
    if (used == 0) {
      return NvmlResult.SUCCESS;
    }
    if (room == 0 || processes == 0) {
      return NvmlResult.INSUFFICIENT_SIZE;
    }
    Native.putInt(processes, process);
    Native.putLong(processes + ProcessV1.USED, used);
    if (instances) {
      Native.putLong(processes + ProcessV2.INSTANCES, ProcessV2.NO_INSTANCES);
    }
    return NvmlResult.SUCCESS;
  }

  @Override
  public int nvmlDeviceGetGraphicsRunningProcesses(long device, long count, long processes) {
    return management.answer(count, device, 0);
  }

  @Override
  public int nvmlDeviceGetGraphicsRunningProcesses_v2(long device, long count, long processes) {
    return management.answer(count, device, 0);
  }

  @Override
  public int nvmlDeviceGetGraphicsRunningProcesses_v3(long device, long count, long processes) {
    return management.answer(count, device, 0);
  }

  @Override
  public int nvmlDeviceGetMPSComputeRunningProcesses(long device, long count, long processes) {
    return management.answer(count, device, 0);
  }

  @Override
  public int nvmlDeviceGetMPSComputeRunningProcesses_v2(long device, long count, long processes) {
    return management.answer(count, device, 0);
  }

  @Override
  public int nvmlDeviceGetMPSComputeRunningProcesses_v3(long device, long count, long processes) {
    return management.answer(count, device, 0);
  }
}
