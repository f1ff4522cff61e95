// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaManagedMemory;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.share.PlacedMemory;
import io.outboard.wire.Native;

/**
 * Managed memory: memory of the program, mapped a second time where kernels find it at the
 * program's address. Its addresses are those that programs reserve of the only device.
 */
public final class ManagedMemoryCalls implements CudaManagedMemory {
  private final Machine machine;
  private final PlacedMemory placed;

  public ManagedMemoryCalls(Machine machine, PlacedMemory placed) {
    this.machine = machine;
    this.placed = placed;
  }

  @Override
  public int outboardManagedPlace(long address, long bytes) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (address == 0 || bytes <= 0 || bytes > DeviceMemory.STRIDE) {
      return CudaResult.INVALID_VALUE;
    }
    if (machine.deviceCount() != 1) {
      return CudaResult.NOT_SUPPORTED;
    }
    long start = placed.place(bytes);
    Native.putLong(address, start);
    return start == 0 ? CudaResult.OUT_OF_MEMORY : CudaResult.SUCCESS;
  }

  @Override
  public int outboardManagedVariable(long bytes, long address) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (bytes == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(bytes, placed.sharable(address));
    return CudaResult.SUCCESS;
  }

  /** Whoever calls has mapped the memory at this address of this process too. */
  @Override
  public int outboardManagedMap(long address, long bytes) {
    if (machine.usable() == null && !isFoundWithoutContext(placed, address)) {
      return machine.refusal();
    }
    if (!placed.isPlace(address, bytes)) {
      return CudaResult.INVALID_VALUE;
    }
    machine.awaitAll();
    return placed.share(address, bytes) || placed.map(address, bytes, Kind.MANAGED)
        ? CudaResult.SUCCESS
        : CudaResult.ALREADY_MAPPED;
  }

  /** A library's variable can be; other memory belongs to the context in which it is made. */
  private boolean isFoundWithoutContext(PlacedMemory placed, long address) {
    return machine.refusal() == CudaResult.INVALID_CONTEXT && placed.sharable(address) != 0;
  }

  /** Work of any context may use it: waits for it all. */
  @Override
  public int outboardManagedUnmap(long address) {
    machine.awaitAll();
    if (placed.unshare(address)) {
      return CudaResult.SUCCESS;
    }
    return placed.unmap(address, Kind.MANAGED) ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }
}
