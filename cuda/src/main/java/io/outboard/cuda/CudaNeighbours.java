// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Need.CURRENT_CONTEXT;
import static io.outboard.spec.Range.Use.RELEASE;
import static io.outboard.spec.Range.Use.RESERVE;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.COMPUTE;

import io.outboard.cuda.struct.IpcEventName;
import io.outboard.cuda.struct.IpcMemoryName;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Out;
import io.outboard.spec.Range;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Memory and events of other devices and other processes; CUDA Driver API, sections 6.13 and 6.21.
 */
public interface CudaNeighbours {
  /** Lets the current context use the memory of another one. */
  @Call(390)
  int cuCtxEnablePeerAccess(@Handle(CONTEXT) long peer, int flags);

  /** Ends that. */
  @Call(391)
  int cuCtxDisablePeerAccess(@Handle(CONTEXT) long peer);

  /** Copies between contexts. */
  @Call(392)
  @Async
  @DeviceWork(COMPUTE)
  @Variants("cuMemcpyPeer_ptds")
  int cuMemcpyPeer(
      @DevicePointer long destination,
      @Handle(CONTEXT) @OrderedBy long destinationContext,
      @DevicePointer long source,
      @Handle(CONTEXT) @OrderedBy long sourceContext,
      long bytes);

  /** Copies between contexts, in the order of a stream. */
  @Call(393)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Variants("cuMemcpyPeerAsync_ptsz")
  int cuMemcpyPeerAsync(
      @DevicePointer long destination,
      @Handle(CONTEXT) long destinationContext,
      @DevicePointer long source,
      @Handle(CONTEXT) long sourceContext,
      long bytes,
      @Handle(STREAM) @OrderedBy long stream);

  /** A name for memory that other processes can open. */
  @Call(394)
  int cuIpcGetMemHandle(@Out(bytes = "64") long handle, @DevicePointer long pointer);

  /** Opens memory of another process. */
  @Call(395)
  @Takes(Resource.NOTHING)
  @Ready(CURRENT_CONTEXT)
  @Variants("cuIpcOpenMemHandle")
  int cuIpcOpenMemHandle_v2(
      @Out(LONG) @DevicePointer @Range(value = RESERVE, undo = "cuIpcCloseMemHandle") long pointer,
      @In(struct = IpcMemoryName.class, byValue = true) long handle,
      int flags);

  /** Closes it. */
  @Call(396)
  @Blocking
  @Ready(CURRENT_CONTEXT)
  int cuIpcCloseMemHandle(@DevicePointer @Range(RELEASE) long pointer);

  /** A name for an event that other processes can open. */
  @Call(397)
  default int cuIpcGetEventHandle(
      @Out(bytes = "64") long handle, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Opens an event of another process. */
  @Call(398)
  @Custom("events that other processes share")
  default int cuIpcOpenEventHandle(
      @Out(LONG) @Handle(value = EVENT, life = Life.CREATE) long event,
      @In(struct = IpcEventName.class, byValue = true) long handle) {
    return CudaResult.NOT_SUPPORTED;
  }
}
