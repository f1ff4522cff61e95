// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.vendor;

import io.outboard.nvml.NvmlDriverNative;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.ProcessV1;
import io.outboard.nvml.struct.ProcessV2;
import io.outboard.wire.Native;
import java.lang.foreign.SymbolLookup;

/**
 * The vendor's {@code libnvidia-ml.so.1}: the generated binding. In lists of processes the one that
 * serves the client has the client's process id, so that a program recognises itself.
 */
public final class VendorNvml extends NvmlDriverNative {
  private static final int OWN = (int) ProcessHandle.current().pid();

  private final int client;

  private VendorNvml(SymbolLookup library, int client) {
    super(library);
    this.client = client;
  }

  /**
   * Loads the vendor's library.
   *
   * @param client the client's process id
   * @throws IllegalArgumentException if it cannot be loaded
   */
  public static VendorNvml load(String library, int client) {
    return new VendorNvml(lookup(library), client);
  }

  private int named(int result, long count, long processes, int bytes) {
    if (result == NvmlResult.SUCCESS && processes != 0) {
      for (int i = 0; i < Native.getInt(count); i++) {
        long process = processes + (long) bytes * i;
        if (Native.getInt(process) == OWN) {
          Native.putInt(process, client);
        }
      }
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses(long device, long count, long processes) {
    int result = super.nvmlDeviceGetComputeRunningProcesses(device, count, processes);
    return named(result, count, processes, ProcessV1.BYTES);
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses_v2(long device, long count, long processes) {
    int result = super.nvmlDeviceGetComputeRunningProcesses_v2(device, count, processes);
    return named(result, count, processes, ProcessV2.BYTES);
  }

  @Override
  public int nvmlDeviceGetComputeRunningProcesses_v3(long device, long count, long processes) {
    int result = super.nvmlDeviceGetComputeRunningProcesses_v3(device, count, processes);
    return named(result, count, processes, ProcessV2.BYTES);
  }
}
