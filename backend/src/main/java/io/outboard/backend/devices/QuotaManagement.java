// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.quota.MemoryCredit;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlDriverForwarding;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.MemoryV2;
import io.outboard.wire.Native;

/** Has the management library show devices as large as the lease may have of them. */
public final class QuotaManagement extends NvmlDriverForwarding {
  // Of struct nvmlMemory_t.
  private static final int FREE = 8;
  private static final int USED = 16;

  private final MemoryCredit credit;

  public QuotaManagement(NvmlDriver delegate, MemoryCredit credit) {
    super(delegate);
    this.credit = credit;
  }

  @Override
  public int nvmlDeviceGetMemoryInfo(long device, long memory) {
    int result = delegate.nvmlDeviceGetMemoryInfo(device, memory);
    return result == NvmlResult.SUCCESS ? show(device, memory, FREE, USED) : result;
  }

  @Override
  public int nvmlDeviceGetMemoryInfo_v2(long device, long memory) {
    int result = delegate.nvmlDeviceGetMemoryInfo_v2(device, memory);
    if (result != NvmlResult.SUCCESS) {
      return result;
    }
    Native.putLong(memory + MemoryV2.RESERVED, 0);
    int free = MemoryV2.FREE - MemoryV2.TOTAL;
    return show(device, memory + MemoryV2.TOTAL, free, free + Long.BYTES);
  }

  private int show(long device, long total, int free, int used) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      int result = delegate.nvmlDeviceGetIndex(device, buffer.address());
      if (result != NvmlResult.SUCCESS) {
        return result;
      }
      int gpu = Native.getInt(buffer.address());
      long size = Math.min(Native.getLong(total), credit.limit(gpu));
      long taken = Math.min(credit.used(gpu), size);
      Native.putLong(total, size);
      Native.putLong(total + free, size - taken);
      Native.putLong(total + used, taken);
      return NvmlResult.SUCCESS;
    }
  }
}
