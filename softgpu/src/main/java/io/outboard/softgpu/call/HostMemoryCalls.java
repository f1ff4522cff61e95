// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaHostMemory;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.copy.CopyOperation;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamOrder;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.share.PlacedMemory;
import io.outboard.wire.Native;

/**
 * Memory that is shared with the program. The caller has checked that it is shared, and has mapped
 * it at the program's address. Where that is an address that was set aside for it, kernels find it
 * there too.
 */
public final class HostMemoryCalls implements CudaHostMemory {
  /** Larger copies are left to the stream's thread even when the caller could do them at once. */
  private static final long INLINE_BYTES = 1 << 18;

  /** {@code CU_MEMHOSTREGISTER_DEVICEMAP}. */
  private static final int DEVICE_MAP = 2;

  private final Machine machine;
  private final PlacedMemory placed;

  public HostMemoryCalls(Machine machine, PlacedMemory placed) {
    this.machine = machine;
    this.placed = placed;
  }

  @Override
  public int outboardHostMap(long device, long address, long bytes, int flags) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (device == 0 || address == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    boolean wanted = (flags & DEVICE_MAP) != 0;
    boolean mapped = wanted && placed.map(address, bytes, Kind.HOST);
    Native.putLong(device, mapped ? address : 0);
    if (wanted && !mapped) {
      machine.pageLocked().add(address, bytes);
    }
    return CudaResult.SUCCESS;
  }

  /** Work of any context may use it: waits for it all. */
  @Override
  public int outboardHostUnmap(long address) {
    machine.awaitAll();
    boolean unused = placed.unmap(address, Kind.HOST);
    machine.pageLocked().remove(address);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    long to = machine.resolve(destination, bytes);
    return copy(source, to, bytes, stream, done, CopyKind.HOST_TO_DEVICE);
  }

  @Override
  public int outboardCopyToHost(long destination, long source, long bytes, long stream, long done) {
    long from = machine.resolve(source, bytes);
    return copy(from, destination, bytes, stream, done, CopyKind.DEVICE_TO_HOST);
  }

  private int copy(long from, long to, long bytes, long streamHandle, long done, CopyKind kind) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.stream(streamHandle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (from == 0 || to == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    StreamOrder order = stream.context().order();
    CopyOperation copy = new CopyOperation(from, to, bytes, kind);
    return done != 0 || (bytes <= INLINE_BYTES && order.isClear(stream))
        ? order.finish(stream, copy)
        : order.start(stream, copy);
  }
}
