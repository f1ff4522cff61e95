// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaManagedMemory;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.PageRuns;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.memory.DeviceAddresses;
import io.outboard.softgpu.share.PagedMemory;
import io.outboard.softgpu.share.PlacedMemory;
import io.outboard.wire.Native;

/**
 * Managed memory. Of a program that shares memory with its worker, it is the program's, mapped a
 * second time where kernels find it at the program's address. Of any other program, it is memory of
 * a device, whose pages travel. The kernels of all devices reach either.
 */
public final class ManagedMemoryCalls implements CudaManagedMemory {
  private final Machine machine;
  private final PlacedMemory placed;
  private final PagedMemory paged;

  public ManagedMemoryCalls(Machine machine, PlacedMemory placed, PagedMemory paged) {
    this.machine = machine;
    this.placed = placed;
    this.paged = paged;
  }

  @Override
  public int outboardManagedPlace(long address, long bytes) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (address == 0 || bytes <= 0 || bytes > DeviceAddresses.STRIDE) {
      return CudaResult.INVALID_VALUE;
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

  /** The caller has mapped the memory at this address of this process too. */
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

  @Override
  public int outboardPagesAllocate(long address, long bytes) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (address == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    long start = paged.allocate(bytes, context);
    Native.putLong(address, start);
    return start == 0 ? CudaResult.OUT_OF_MEMORY : CudaResult.SUCCESS;
  }

  /** The memory is there whatever has become of the context. */
  @Override
  public int outboardPagesLoad(
      long data, long bytes, long addresses, long sizes, int count, long context) {
    Context waited = machine.context(context);
    if (waited != null) {
      int unusedReport = waited.order().finishAll();
    }
    PageRuns runs = new PageRuns(addresses, sizes, count);
    return data == 0 || !runs.have(bytes) ? CudaResult.INVALID_VALUE : load(data, runs);
  }

  private int load(long data, PageRuns runs) {
    long to = data;
    for (int run = 0; run < runs.count(); run++) {
      long from = machine.resolve(runs.address(run), runs.size(run));
      if (from == 0) {
        return CudaResult.INVALID_VALUE;
      }
      Native.copy(from, to, runs.size(run));
      to += runs.size(run);
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardPagesStore(long address, long data, long bytes) {
    long to = machine.resolve(address, bytes);
    if (to == 0 || data == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.copy(data, to, bytes);
    return CudaResult.SUCCESS;
  }
}
