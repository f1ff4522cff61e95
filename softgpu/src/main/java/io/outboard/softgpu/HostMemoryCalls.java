// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaHostMemory;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;

/**
 * Copies from and to memory that is shared with the program. Whoever calls has checked that it is;
 * kernels cannot use it.
 */
final class HostMemoryCalls implements CudaHostMemory {
  /** Larger copies are left to the stream's thread even when the caller could do them at once. */
  private static final long INLINE_BYTES = 1 << 18;

  private final Machine machine;

  HostMemoryCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int outboardHostMap(long device, long address, long bytes, int flags) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (device == 0 || address == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(device, 0);
    return CudaResult.SUCCESS;
  }

  /** Copies of any context may use it: waits for them all. */
  @Override
  public int outboardHostUnmap(long address) {
    machine.awaitAll();
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    return copy(source, machine.resolve(destination, bytes), bytes, stream, done);
  }

  @Override
  public int outboardCopyToHost(long destination, long source, long bytes, long stream, long done) {
    return copy(machine.resolve(source, bytes), destination, bytes, stream, done);
  }

  private int copy(long from, long to, long bytes, long streamHandle, long done) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.ownStream(streamHandle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (from == 0 || to == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    StreamOrder order = context.order();
    CopyOperation copy = new CopyOperation(from, to, bytes);
    return done != 0 || (bytes <= INLINE_BYTES && order.isClear(stream))
        ? order.finish(stream, copy)
        : order.start(stream, copy);
  }
}
