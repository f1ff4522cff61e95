// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.FLOAT;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.WAIT;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.Local;
import io.outboard.spec.NotesLane;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Settles;
import io.outboard.spec.Takes;
import io.outboard.spec.Touches;
import io.outboard.spec.Variants;

/**
 * Streams and events; CUDA Driver API, sections 6.18 and 6.19. Streams 0, 1 and 2 are the default,
 * legacy and per-thread ones.
 */
public interface CudaStreams {
  /** Makes a stream. */
  @Call(140)
  int cuStreamCreate(
      @Out(LONG) @Handle(value = STREAM, life = Life.CREATE) @NotesLane long stream, int flags);

  /** Makes a stream of a priority. */
  @Call(141)
  int cuStreamCreateWithPriority(
      @Out(LONG) @Handle(value = STREAM, life = Life.CREATE) @NotesLane long stream,
      int flags,
      int priority);

  /** Ends a stream; its work goes on to its end. */
  @Call(142)
  @Variants("cuStreamDestroy")
  int cuStreamDestroy_v2(@Handle(value = STREAM, life = Life.DESTROY) long stream);

  /** Waits for all work of a stream. */
  @Call(143)
  @DeviceWork(WAIT)
  @Blocking
  @Settles
  @Variants("cuStreamSynchronize_ptsz")
  int cuStreamSynchronize(@Handle(STREAM) @Touches @OrderedBy long stream);

  /** Whether all work of a stream is done: success, or not ready. */
  @Call(144)
  @DeviceWork(WAIT)
  @Settles
  @Variants("cuStreamQuery_ptsz")
  int cuStreamQuery(@Handle(STREAM) @Touches @OrderedBy long stream);

  /** Lets later work of a stream wait for an event. */
  @Call(145)
  @Takes(Resource.NOTHING)
  @Async
  @Variants("cuStreamWaitEvent_ptsz")
  int cuStreamWaitEvent(
      @Handle(STREAM) @Touches @OrderedBy long stream,
      @Handle(EVENT) @Touches @OrderedBy long event,
      int flags);

  /** Priority of a stream. */
  @Call(146)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamGetPriority_ptsz")
  int cuStreamGetPriority(@Handle(STREAM) long stream, @Out(INT) long priority);

  /** Flags of a stream. */
  @Call(147)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamGetFlags_ptsz")
  int cuStreamGetFlags(@Handle(STREAM) long stream, @Out(INT) long flags);

  /** Context of a stream. */
  @Call(148)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamGetCtx_ptsz")
  int cuStreamGetCtx(@Handle(STREAM) long stream, @Out(LONG) @Handle(CONTEXT) long context);

  /** A number that no other stream of the process has. */
  @Call(149)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamGetId_ptsz")
  int cuStreamGetId(@Handle(STREAM) long stream, @Out(LONG) long id);

  /** Device of a stream. */
  @Call(150)
  @Takes(Resource.NOTHING)
  @Variants("cuStreamGetDevice_ptsz")
  int cuStreamGetDevice(@Handle(STREAM) long stream, @Out(INT) @Ordinal long device);

  /** Makes an event; answered where other processes can share it. */
  @Call(160)
  @Async
  @Custom("events that other processes share")
  int cuEventCreate(@Out(LONG) @Handle(value = EVENT, life = Life.CREATE) long event, int flags);

  /** Records an event in a stream. */
  @Call(161)
  @Takes(Resource.NOTHING)
  @Async
  @Variants("cuEventRecord_ptsz")
  int cuEventRecord(
      @Handle(EVENT) @Touches @NotesLane long event, @Handle(STREAM) @Touches long stream);

  /** Records an event in a stream, with flags. */
  @Call(162)
  @Takes(Resource.NOTHING)
  @Async
  @Variants("cuEventRecordWithFlags_ptsz")
  int cuEventRecordWithFlags(
      @Handle(EVENT) @Touches @NotesLane long event,
      @Handle(STREAM) @Touches long stream,
      int flags);

  /** Whether an event has happened: success, or not ready. */
  @Call(163)
  @DeviceWork(WAIT)
  int cuEventQuery(@Handle(EVENT) @Touches @OrderedBy long event);

  /** Waits until an event has happened. */
  @Call(164)
  @DeviceWork(WAIT)
  @Blocking
  int cuEventSynchronize(@Handle(EVENT) @Touches @OrderedBy long event);

  /** Ends an event. */
  @Call(165)
  @Async
  @Variants("cuEventDestroy")
  int cuEventDestroy_v2(@Handle(value = EVENT, life = Life.DESTROY) @OrderedBy long event);

  /** Milliseconds between two recorded events. */
  @Call(166)
  @DeviceWork(WAIT)
  @Variants("cuEventElapsedTime")
  int cuEventElapsedTime_v2(
      @Out(FLOAT) long milliseconds,
      @Handle(EVENT) @Touches @OrderedBy long start,
      @Handle(EVENT) @Touches @OrderedBy long end);

  /** As {@link #cuStreamGetCtx}; green contexts, which nobody can make here, are null. */
  @Local(
      prototype =
          "CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **greenContext)")
  @Variants("cuStreamGetCtx_v2_ptsz")
  default int cuStreamGetCtx_v2(
      @Handle(STREAM) long stream,
      @Out(LONG) @Handle(CONTEXT) long context,
      @Out(LONG) long greenContext) {
    return CudaResult.NOT_SUPPORTED;
  }
}
