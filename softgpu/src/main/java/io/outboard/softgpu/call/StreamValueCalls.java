// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaStreamValues;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.GreenContext;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamAttributes;
import io.outboard.softgpu.graph.NodeWork;
import io.outboard.softgpu.graph.ValueBatch;
import io.outboard.softgpu.launch.LaunchAttributes;
import io.outboard.softgpu.stream.Event;
import io.outboard.softgpu.stream.ValueWait;
import io.outboard.softgpu.stream.ValueWrite;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;

/** Writing values and waiting for them, in the order of streams. */
public final class StreamValueCalls implements CudaStreamValues {
  /** {@code CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}. */
  private static final int NO_BARRIER = 1;

  private final Machine machine;

  public StreamValueCalls(Machine machine) {
    this.machine = machine;
  }

  private int start(long handle, long address, int bytes, boolean flagsAreKnown, Made made) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.stream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    long at = address % bytes == 0 ? machine.resolveWord(address, bytes) : 0;
    return at == 0 || !flagsAreKnown
        ? CudaResult.INVALID_VALUE
        : stream.context().order().start(stream, made.at(at));
  }

  /** Makes the work at an address of this process. */
  private interface Made {
    Operation at(long address);
  }

  @Override
  public int cuStreamBatchMemOp_v2(long handle, int count, long operations, int flags) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.stream(handle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    NodeWork.Made made =
        flags == 0
            ? ValueBatch.read(machine, operations, count)
            : NodeWork.Made.failed(CudaResult.INVALID_VALUE);
    return made.result() == CudaResult.SUCCESS
        ? stream.context().order().start(stream, made.operation())
        : made.result();
  }

  /** Does something with a stream, if there is one. */
  private int with(long handle, boolean valid, Consumer<Stream> action) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.stream(handle);
    if (stream == null || !valid) {
      return stream == null ? CudaResult.INVALID_HANDLE : CudaResult.INVALID_VALUE;
    }
    action.accept(stream);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuStreamGetAttribute(long handle, int attribute, long value) {
    return with(
        handle,
        value != 0 && StreamAttributes.has(attribute),
        stream ->
            Native.MEMORY
                .asSlice(value, StreamAttributes.BYTES)
                .copyFrom(MemorySegment.ofArray(stream.attributes().get(attribute))));
  }

  @Override
  public int cuStreamSetAttribute(long handle, int attribute, long value) {
    return with(
        handle,
        value != 0
            && StreamAttributes.canBeSet(attribute)
            && LaunchAttributes.isValid(attribute, value),
        stream ->
            stream
                .attributes()
                .set(
                    attribute,
                    Native.MEMORY
                        .asSlice(value, StreamAttributes.BYTES)
                        .toArray(ValueLayout.JAVA_BYTE)));
  }

  @Override
  public int cuStreamCopyAttributes(long to, long from) {
    return with(
        from,
        true,
        source -> {
          int unused = with(to, true, stream -> stream.attributes().copy(source.attributes()));
        });
  }

  /**
   * The device shows no other PCI device its memory, so none of these targets is one of its own.
   */
  @Override
  public int cuFlushGPUDirectRDMAWrites(int target, int scope) {
    return machine.usable() == null ? machine.refusal() : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuStreamWriteValue32_v2(long stream, long address, int value, int flags) {
    boolean known = (flags & ~NO_BARRIER) == 0;
    return start(stream, address, 4, known, at -> new ValueWrite(at, value, 4));
  }

  @Override
  public int cuStreamWriteValue64_v2(long stream, long address, long value, int flags) {
    boolean known = (flags & ~NO_BARRIER) == 0;
    return start(stream, address, 8, known, at -> new ValueWrite(at, value, 8));
  }

  @Override
  public int cuStreamWaitValue32_v2(long stream, long address, int value, int flags) {
    boolean known = ValueWait.knows(flags);
    return start(stream, address, 4, known, at -> new ValueWait(at, value, 4, flags));
  }

  @Override
  public int cuStreamWaitValue64_v2(long stream, long address, long value, int flags) {
    boolean known = ValueWait.knows(flags);
    return start(stream, address, 8, known, at -> new ValueWait(at, value, 8, flags));
  }

  @Override
  public int cuCtxRecordEvent(long handle, long event) {
    Context context = machine.context(handle);
    if (context == null) {
      return unknownContext();
    }
    GreenContext.Face face = machine.handles().get(handle, GreenContext.Face.class);
    List<Stream> streams = face == null ? context.order().streams() : face.green().streams();
    return record(machine, context, streams, event);
  }

  /** Has an event mark the end of all that is in these streams of a context now. */
  static int record(Machine machine, Context context, List<Stream> streams, long event) {
    Event recorded = machine.handles().get(event, Event.class);
    if (recorded == null || recorded.context() != context) {
      return CudaResult.INVALID_HANDLE;
    }
    if (context.isOver()) {
      return context.isActive() ? context.error() : CudaResult.CONTEXT_IS_DESTROYED;
    }
    recorded.record(streams, context.order().marks());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxWaitEvent(long handle, long event) {
    Context context = machine.context(handle);
    Event awaited = machine.handles().get(event, Event.class);
    if (context == null || awaited == null) {
      return context == null ? unknownContext() : CudaResult.INVALID_HANDLE;
    }
    GreenContext.Face face = machine.handles().get(handle, GreenContext.Face.class);
    if (awaited.isComplete()) {
      return CudaResult.SUCCESS;
    }
    if (face != null) {
      context.order().delay(face.green().streams(), awaited::waiting);
    } else {
      context.order().delayAll(() -> awaited.isComplete() ? null : awaited.waiting());
    }
    return CudaResult.SUCCESS;
  }

  private int unknownContext() {
    return machine.isInitialised() ? CudaResult.CONTEXT_IS_DESTROYED : CudaResult.NOT_INITIALIZED;
  }
}
