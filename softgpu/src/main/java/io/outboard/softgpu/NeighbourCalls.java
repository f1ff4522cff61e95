// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaNeighbours;
import io.outboard.cuda.CudaResult;

/**
 * Other devices and other processes. A kernel reaches the memory of its own device only; copies
 * reach that of all.
 */
final class NeighbourCalls implements CudaNeighbours {
  private final Machine machine;

  NeighbourCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int cuCtxEnablePeerAccess(long peer, int flags) {
    int result = check(peer);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    return flags != 0 ? CudaResult.INVALID_VALUE : CudaResult.PEER_ACCESS_UNSUPPORTED;
  }

  @Override
  public int cuCtxDisablePeerAccess(long peer) {
    int result = check(peer);
    return result != CudaResult.SUCCESS ? result : CudaResult.PEER_ACCESS_NOT_ENABLED;
  }

  private int check(long peer) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    return machine.handles().get(peer, Context.class) == null
        ? CudaResult.INVALID_CONTEXT
        : CudaResult.SUCCESS;
  }

  @Override
  public int cuMemcpyPeer(
      long destination, long destinationContext, long source, long sourceContext, long bytes) {
    return cuMemcpyPeerAsync(destination, destinationContext, source, sourceContext, bytes, 0);
  }

  @Override
  public int cuMemcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long handle) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (!isContext(destinationContext) || !isContext(sourceContext)) {
      return CudaResult.INVALID_CONTEXT;
    }
    Stream stream = context.ownStream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (bytes == 0) {
      return CudaResult.SUCCESS;
    }
    long from = machine.resolve(source, bytes);
    long to = machine.resolve(destination, bytes);
    return from == 0 || to == 0
        ? CudaResult.INVALID_VALUE
        : context.order().start(stream, new CopyOperation(from, to, bytes));
  }

  private boolean isContext(long handle) {
    return machine.handles().get(handle, Context.class) != null;
  }

  @Override
  public int cuIpcGetMemHandle(long handle, long pointer) {
    return machine.usable() == null ? machine.refusal() : CudaResult.NOT_SUPPORTED;
  }

  @Override
  public int cuIpcOpenMemHandle_v2(long pointer, long handle, int flags) {
    return machine.usable() == null ? machine.refusal() : CudaResult.NOT_SUPPORTED;
  }

  @Override
  public int cuIpcCloseMemHandle(long pointer) {
    return machine.usable() == null ? machine.refusal() : CudaResult.NOT_SUPPORTED;
  }
}
