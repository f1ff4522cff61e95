// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaStreams;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamCapture;
import io.outboard.softgpu.share.Exports;
import io.outboard.softgpu.stream.Event;
import io.outboard.softgpu.stream.EventRecordOperation;
import io.outboard.softgpu.stream.EventWaitOperation;
import io.outboard.wire.Native;

/** Streams and events. */
public final class StreamCalls implements CudaStreams {
  private static final float NANOS_PER_MILLI = 1e6f;

  /** {@code CU_EVENT_RECORD_EXTERNAL}, {@code CU_EVENT_WAIT_EXTERNAL}: a node, in a capture. */
  private static final int EXTERNAL = 1;

  private final Machine machine;
  private final Exports exports;

  public StreamCalls(Machine machine, Exports exports) {
    this.machine = machine;
    this.exports = exports;
  }

  @Override
  public int cuStreamCreate(long stream, int flags) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (stream == 0 || (flags & ~Stream.NON_BLOCKING) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    Stream created = context.order().create(flags);
    if (!context.adopt(created)) {
      context.order().end(created);
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(stream, created.handle());
    return CudaResult.SUCCESS;
  }

  /** There is one priority: others are brought into the range, as the vendor's driver does. */
  @Override
  public int cuStreamCreateWithPriority(long stream, int flags, int priority) {
    return cuStreamCreate(stream, flags);
  }

  @Override
  public int cuStreamDestroy_v2(long stream) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    Stream ended = machine.handles().get(stream, Stream.class);
    if (ended == null || !ended.context().disown(ended)) {
      return CudaResult.INVALID_HANDLE;
    }
    ended.context().order().end(ended);
    if (ended.green() != null) {
      ended.green().forget(ended);
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuStreamSynchronize(long stream) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    Stream awaited = context.stream(stream);
    if (awaited == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (awaited.capture() != null) {
      return awaited.capture().invalidate(CudaResult.STREAM_CAPTURE_UNSUPPORTED);
    }
    awaited.context().order().await(awaited);
    return awaited.context().error();
  }

  @Override
  public int cuStreamQuery(long stream) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    Stream asked = context.stream(stream);
    if (asked == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (asked.capture() != null) {
      return asked.capture().invalidate(CudaResult.STREAM_CAPTURE_UNSUPPORTED);
    }
    if (!asked.context().order().isIdle(asked)) {
      return CudaResult.NOT_READY;
    }
    return asked.context().error();
  }

  @Override
  public int cuStreamWaitEvent(long stream, long event, int flags) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    Stream waiting = context.stream(stream);
    Event awaited = machine.handles().get(event, Event.class);
    if (waiting == null || awaited == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if ((flags & ~1) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (flags == EXTERNAL) {
      return waiting.capture() == null
          ? CudaResult.ILLEGAL_STATE
          : waiting.capture().add(waiting, new EventWaitOperation(awaited));
    }
    if (awaited.capture() != null || waiting.capture() != null) {
      return join(waiting, awaited);
    }
    if (awaited.isComplete()) {
      return CudaResult.SUCCESS;
    }
    return waiting.context().order().start(waiting, awaited.waiting());
  }

  /** In a capture a stream waits for what is in the same capture, and for nothing else. */
  private static int join(Stream waiting, Event awaited) {
    StreamCapture capture = waiting.capture();
    StreamCapture.Point point = awaited.captured();
    if (point == null && !awaited.isRecorded()) {
      return CudaResult.SUCCESS;
    }
    if (point == null) {
      return capture.invalidate(CudaResult.STREAM_CAPTURE_ISOLATION);
    }
    if (capture != null && capture != point.capture()) {
      point.capture().invalidate(CudaResult.STREAM_CAPTURE_MERGE);
      return capture.invalidate(CudaResult.STREAM_CAPTURE_MERGE);
    }
    point.join(waiting);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuStreamGetPriority(long stream, long priority) {
    int result = check(stream, priority);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(priority, 0);
    }
    return result;
  }

  @Override
  public int cuStreamGetFlags(long stream, long flags) {
    int result = check(stream, flags);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(flags, known(stream).flags());
    }
    return result;
  }

  @Override
  public int cuStreamGetCtx(long stream, long context) {
    int result = check(stream, context);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(context, known(stream).context().handle());
    }
    return result;
  }

  @Override
  public int cuStreamGetId(long stream, long id) {
    int result = check(stream, id);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(id, known(stream).id());
    }
    return result;
  }

  @Override
  public int cuStreamGetDevice(long stream, long device) {
    int result = check(stream, device);
    if (result == CudaResult.SUCCESS) {
      Native.putInt(device, known(stream).context().device().ordinal());
    }
    return result;
  }

  /** A stream that {@link #check} has found. */
  private Stream known(long stream) {
    return machine.usable(stream).stream(stream);
  }

  private int check(long stream, long output) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    if (output == 0) {
      return CudaResult.INVALID_VALUE;
    }
    return context.stream(stream) == null ? CudaResult.INVALID_HANDLE : CudaResult.SUCCESS;
  }

  @Override
  public int cuEventCreate(long event, int flags) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (event == 0 || !Event.isPossible(flags)) {
      return CudaResult.INVALID_VALUE;
    }
    Event created = new Event(context, flags);
    if (!context.adopt(created)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(event, created.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuEventRecord(long event, long stream) {
    return cuEventRecordWithFlags(event, stream, 0);
  }

  @Override
  public int cuEventRecordWithFlags(long event, long stream, int flags) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    Event recorded = machine.handles().get(event, Event.class);
    Stream marked = context.stream(stream);
    if (recorded == null || marked == null || recorded.context() != marked.context()) {
      return CudaResult.INVALID_HANDLE;
    }
    if ((flags & ~1) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (flags == EXTERNAL) {
      return marked.capture() == null
          ? CudaResult.ILLEGAL_STATE
          : marked.capture().add(marked, new EventRecordOperation(recorded));
    }
    recorded.record(marked);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuEventQuery(long event) {
    Event asked = machine.handles().get(event, Event.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (asked == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (asked.capture() != null) {
      return asked.capture().invalidate(CudaResult.CAPTURED_EVENT);
    }
    return asked.isComplete() ? asked.context().error() : CudaResult.NOT_READY;
  }

  @Override
  public int cuEventSynchronize(long event) {
    Event awaited = machine.handles().get(event, Event.class);
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (awaited == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (awaited.capture() != null) {
      return awaited.capture().invalidate(CudaResult.CAPTURED_EVENT);
    }
    awaited.await();
    return awaited.context().error();
  }

  @Override
  public int cuEventDestroy_v2(long event) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    Event ended = machine.handles().get(event, Event.class);
    if (ended == null || !ended.context().disown(ended)) {
      return CudaResult.INVALID_HANDLE;
    }
    if (ended.mark() != null) {
      exports.forget(ended.mark());
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuEventElapsedTime_v2(long milliseconds, long start, long end) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    Event first = machine.handles().get(start, Event.class);
    Event last = machine.handles().get(end, Event.class);
    if (first == null || last == null) {
      return CudaResult.INVALID_HANDLE;
    }
    int result = milliseconds == 0 ? CudaResult.INVALID_VALUE : Event.measurable(first, last);
    if (result == CudaResult.SUCCESS) {
      Native.putFloat(milliseconds, last.nanosSince(first) / NANOS_PER_MILLI);
    }
    return result;
  }
}
