// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaManagedMemory;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.Allocation.Kind;
import io.outboard.wire.Native;

/**
 * Managed memory: memory of the program, mapped a second time where kernels find it at the
 * program's address. Its addresses are those that programs reserve of the only device.
 */
final class ManagedMemoryCalls implements CudaManagedMemory {
  private final Machine machine;

  ManagedMemoryCalls(Machine machine) {
    this.machine = machine;
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
    DeviceMemory memory = machine.device(0).memory();
    long whole = Reservations.rounded(bytes);
    long start = memory.reservations().reserve(whole);
    if (start == 0) {
      return CudaResult.OUT_OF_MEMORY;
    }
    memory.reach(start + whole);
    Native.putLong(address, start);
    return CudaResult.SUCCESS;
  }

  /** Whoever calls has mapped the memory at this address of this process too. */
  @Override
  public synchronized int outboardManagedMap(long address, long bytes) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    DeviceMemory memory = machine.memoryOf(address);
    boolean whole = bytes > 0 && (bytes & (Mapping.PAGE - 1)) == 0 && Reservations.isWhole(address);
    if (memory == null || !whole || !memory.reservations().has(address, bytes)) {
      return CudaResult.INVALID_VALUE;
    }
    if (memory.startingAt(address) != null) {
      return CudaResult.ALREADY_MAPPED;
    }
    Mapping.repeat(memory.process(address), bytes, address);
    memory.adopt(new Allocation(address, bytes, null, Kind.MANAGED, null));
    return CudaResult.SUCCESS;
  }

  /** Work of any context may use it: waits for it all. */
  @Override
  public synchronized int outboardManagedUnmap(long address) {
    DeviceMemory memory = machine.memoryOf(address);
    Allocation ended = memory == null ? null : memory.startingAt(address);
    if (ended == null || ended.kind() != Kind.MANAGED) {
      return CudaResult.INVALID_VALUE;
    }
    machine.awaitAll();
    boolean unused = memory.disown(ended);
    Mapping.clear(memory.process(address), ended.bytes());
    memory.reservations().free(address, Reservations.rounded(ended.bytes()));
    return CudaResult.SUCCESS;
  }
}
