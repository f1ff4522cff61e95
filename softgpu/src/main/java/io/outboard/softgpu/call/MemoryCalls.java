// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaMemory;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.copy.BoxCopy;
import io.outboard.softgpu.copy.CopyOperation;
import io.outboard.softgpu.copy.FillOperation;
import io.outboard.softgpu.copy.Rectangle;
import io.outboard.softgpu.copy.RowsOperation;
import io.outboard.softgpu.copy.StagedOperation;
import io.outboard.softgpu.copy.StagedRowsOperation;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamOrder;
import io.outboard.softgpu.graph.GraphMemories;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.Allocation.Kind;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.share.ExchangeName;
import io.outboard.softgpu.share.Exports;
import io.outboard.softgpu.share.Imports;
import io.outboard.softgpu.share.PagedMemory;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;

/** Device memory and copies. */
public final class MemoryCalls implements CudaMemory {
  /** Rows of {@code cuMemAllocPitch} start at multiples of this. */
  private static final long PITCH = 512;

  /**
   * Larger work is left to the stream's thread even when it could be done by the caller at once.
   */
  private static final long INLINE_BYTES = 1 << 20;

  /** Larger sources are not taken at the call: the call waits for the copy. */
  private static final int STAGED_BYTES = 1 << 18;

  private final Machine machine;
  private final Exports exports;
  private final Imports imports;
  private final GraphMemories graphMemories;
  private final PagedMemory paged;

  public MemoryCalls(
      Machine machine,
      Exports exports,
      Imports imports,
      GraphMemories graphMemories,
      PagedMemory paged) {
    this.machine = machine;
    this.exports = exports;
    this.imports = imports;
    this.graphMemories = graphMemories;
    this.paged = paged;
  }

  @Override
  public int cuMemGetInfo_v2(long free, long total) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (free != 0) {
      Native.putLong(free, context.device().memory().available());
    }
    if (total != 0) {
      Native.putLong(total, context.device().memory().size());
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemAlloc_v2(long pointer, long bytes) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (pointer == 0 || bytes == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Allocation allocation = context.device().memory().allocate(bytes, context, Kind.PLAIN);
    if (allocation == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(pointer, allocation.address());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemAllocPitch_v2(
      long pointer, long pitch, long width, long height, int elementBytes) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (pitch == 0 || width <= 0 || height <= 0 || !isElement(elementBytes)) {
      return CudaResult.INVALID_VALUE;
    }
    long row = (width + PITCH - 1) / PITCH * PITCH;
    if (row < width || Math.multiplyHigh(row, height) != 0 || row * height < 0) {
      return CudaResult.OUT_OF_MEMORY;
    }
    int result = cuMemAlloc_v2(pointer, row * height);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(pitch, row);
    }
    return result;
  }

  private static boolean isElement(int bytes) {
    return bytes == 4 || bytes == 8 || bytes == 16;
  }

  @Override
  public int cuMemFree_v2(long pointer) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    if (pointer == 0) {
      return CudaResult.SUCCESS;
    }
    DeviceMemory memory = machine.memoryOf(pointer);
    Allocation allocation = memory == null ? null : memory.startingAt(pointer);
    if (allocation != null && allocation.kind() == Kind.GRAPH) {
      machine.awaitAll();
      return graphMemories.free(pointer);
    }
    if (allocation != null && allocation.kind() == Kind.COMMON) {
      return paged.free(pointer) ? context.error() : CudaResult.INVALID_VALUE;
    }
    if (imports.has(pointer, ExchangeName.Kind.POOL_MEMORY)) {
      machine.awaitAll();
      return imports.close(pointer) ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
    }
    if (allocation == null || allocation.kind() != Kind.PLAIN) {
      return CudaResult.INVALID_VALUE;
    }
    allocation.owner().awaitWork();
    exports.forget(allocation);
    return memory.release(allocation) ? context.error() : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuMemGetAddressRange_v2(long base, long bytes, long pointer) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    DeviceMemory memory = machine.memoryOf(pointer);
    Allocation allocation = memory == null ? null : memory.find(pointer);
    if (allocation == null) {
      return CudaResult.NOT_FOUND;
    }
    if (base != 0) {
      Native.putLong(base, allocation.address());
    }
    if (bytes != 0) {
      Native.putLong(bytes, allocation.bytes());
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemcpyHtoD_v2(long destination, long source, long bytes) {
    long target = machine.resolve(destination, bytes);
    return copyAndWait(source, target, bytes, 0, CopyKind.HOST_TO_DEVICE);
  }

  @Override
  public int cuMemcpyDtoH_v2(long destination, long source, long bytes) {
    long from = machine.resolve(source, bytes);
    return copyAndWait(from, destination, bytes, 0, CopyKind.DEVICE_TO_HOST);
  }

  @Override
  public int cuMemcpyDtoHAsync_v2(long destination, long source, long bytes, long stream) {
    long from = machine.resolve(source, bytes);
    return copyAndWait(from, destination, bytes, stream, CopyKind.DEVICE_TO_HOST);
  }

  /**
   * Copies in the order of a stream and waits until it is done; 0 is a wrong address. A copy may be
   * in a stream of another context than the current one (CUDA C++ Programming Guide, "Stream and
   * Event Behavior").
   */
  private int copyAndWait(long from, long to, long bytes, long streamHandle, CopyKind kind) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.stream(streamHandle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (bytes == 0) {
      return CudaResult.SUCCESS;
    }
    if (from == 0 || to == 0 || bytes < 0) {
      return CudaResult.INVALID_VALUE;
    }
    return stream.context().order().finish(stream, new CopyOperation(from, to, bytes, kind));
  }

  @Override
  public int cuMemcpyHtoDAsync_v2(long destination, long source, long bytes, long streamHandle) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    long target = machine.resolve(destination, bytes);
    Stream stream = context.stream(streamHandle);
    if (stream != null && stream.capture() != null) {
      return stream.capture().invalidate(CudaResult.STREAM_CAPTURE_UNSUPPORTED);
    }
    if (stream == null || target == 0 || bytes > STAGED_BYTES || isClear(stream)) {
      return copyAndWait(source, target, bytes, streamHandle, CopyKind.HOST_TO_DEVICE);
    }
    if (source == 0) {
      return CudaResult.INVALID_VALUE;
    }
    StagedOperation staged = new StagedOperation(source, target, (int) bytes);
    return stream.context().order().start(stream, staged);
  }

  @Override
  public int outboardRowsWrite(
      long destination,
      long pitch,
      long width,
      long height,
      long source,
      long bytes,
      long streamHandle) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    Stream stream = context.stream(streamHandle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    Rectangle written = new Rectangle(pitch, width, height);
    boolean whole =
        written.isPossible()
            && !written.isEmpty()
            && Math.multiplyHigh(width, height) == 0
            && width * height == bytes
            && bytes <= Limits.CHUNK;
    long to = whole ? machine.resolve(destination, written.extent()) : 0;
    if (to == 0 || source == 0) {
      return CudaResult.INVALID_VALUE;
    }
    return stream.capture() != null
        ? stream.capture().invalidate(CudaResult.STREAM_CAPTURE_UNSUPPORTED)
        : stream.context().order().start(stream, new StagedRowsOperation(source, to, written));
  }

  private static boolean isClear(Stream stream) {
    return stream.context().order().isClear(stream);
  }

  @Override
  public int cuMemcpyDtoD_v2(long destination, long source, long bytes) {
    return cuMemcpyDtoDAsync_v2(destination, source, bytes, 0);
  }

  @Override
  public int cuMemcpyDtoDAsync_v2(long destination, long source, long bytes, long stream) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (bytes == 0) {
      return enqueue(null, 0, stream);
    }
    long from = machine.resolve(source, bytes);
    long to = machine.resolve(destination, bytes);
    if (from == 0 || to == 0) {
      return CudaResult.INVALID_VALUE;
    }
    CopyOperation copy = new CopyOperation(from, to, bytes, CopyKind.DEVICE_TO_DEVICE);
    return enqueue(copy, bytes, stream);
  }

  @Override
  public int outboardMemcpy2D(
      long destination,
      long destinationPitch,
      long source,
      long sourcePitch,
      long width,
      long height,
      long stream) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    Rectangle read = new Rectangle(sourcePitch, width, height);
    Rectangle written = new Rectangle(destinationPitch, width, height);
    if (!read.isPossible() || !written.isPossible()) {
      return CudaResult.INVALID_VALUE;
    }
    if (read.isEmpty()) {
      return enqueue(null, 0, stream);
    }
    long from = machine.resolve(source, read.extent());
    long to = machine.resolve(destination, written.extent());
    if (from == 0 || to == 0) {
      return CudaResult.INVALID_VALUE;
    }
    return enqueue(new RowsOperation(from, read, to, written), width * height, stream);
  }

  @Override
  public int cuMemsetD8_v2(long destination, byte value, long count) {
    return cuMemsetD8Async(destination, value, count, 0);
  }

  @Override
  public int cuMemsetD16_v2(long destination, short value, long count) {
    return cuMemsetD16Async(destination, value, count, 0);
  }

  @Override
  public int cuMemsetD32_v2(long destination, int value, long count) {
    return cuMemsetD32Async(destination, value, count, 0);
  }

  @Override
  public int cuMemsetD8Async(long destination, byte value, long count, long stream) {
    return fill(destination, Rectangle.line(count), value, 1, stream);
  }

  @Override
  public int cuMemsetD16Async(long destination, short value, long count, long stream) {
    return fill(destination, line(count, 2), value, 2, stream);
  }

  @Override
  public int cuMemsetD32Async(long destination, int value, long count, long stream) {
    return fill(destination, line(count, 4), value, 4, stream);
  }

  @Override
  public int cuMemsetD2D8_v2(long destination, long pitch, byte value, long width, long height) {
    return cuMemsetD2D8Async(destination, pitch, value, width, height, 0);
  }

  @Override
  public int cuMemsetD2D32_v2(long destination, long pitch, int value, long width, long height) {
    return cuMemsetD2D32Async(destination, pitch, value, width, height, 0);
  }

  @Override
  public int cuMemsetD2D8Async(
      long destination, long pitch, byte value, long width, long height, long stream) {
    return fill(destination, new Rectangle(pitch, width, height), value, 1, stream);
  }

  @Override
  public int cuMemsetD2D16_v2(long destination, long pitch, short value, long width, long height) {
    return cuMemsetD2D16Async(destination, pitch, value, width, height, 0);
  }

  @Override
  public int cuMemsetD2D16Async(
      long destination, long pitch, short value, long width, long height, long stream) {
    Rectangle shape = new Rectangle(pitch, bytes(width, 2), height);
    return (pitch & 1) != 0 && height > 1
        ? CudaResult.INVALID_VALUE
        : fill(destination, shape, value, 2, stream);
  }

  @Override
  public int outboardMemcpy3D(long copy, long stream) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (copy == 0) {
      return CudaResult.INVALID_VALUE;
    }
    BoxCopy box = BoxCopy.of(copy, machine);
    int result = box.check(machine);
    if (result != CudaResult.SUCCESS || box.isEmpty()) {
      return result == CudaResult.SUCCESS ? enqueue(null, 0, stream) : result;
    }
    return enqueue(box.operation(machine), box.bytes(), stream);
  }

  @Override
  public int cuMemsetD2D32Async(
      long destination, long pitch, int value, long width, long height, long stream) {
    Rectangle shape = new Rectangle(pitch, bytes(width, 4), height);
    return (pitch & 3) != 0 && height > 1
        ? CudaResult.INVALID_VALUE
        : fill(destination, shape, value, 4, stream);
  }

  private static Rectangle line(long count, int elementBytes) {
    return Rectangle.line(bytes(count, elementBytes));
  }

  /** Size of elements in bytes, or -1 where there is no such number. */
  private static long bytes(long count, int elementBytes) {
    return count < 0 || count > Long.MAX_VALUE / elementBytes ? -1 : count * elementBytes;
  }

  private int fill(long destination, Rectangle shape, int value, int valueBytes, long stream) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (!shape.isPossible()) {
      return CudaResult.INVALID_VALUE;
    }
    if (shape.isEmpty()) {
      return enqueue(null, 0, stream);
    }
    if (destination % valueBytes != 0) {
      return CudaResult.INVALID_VALUE;
    }
    long target = machine.resolve(destination, shape.extent());
    if (target == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Operation operation = new FillOperation(target, shape, value, valueBytes);
    return enqueue(operation, shape.rowBytes() * shape.rows(), stream);
  }

  /**
   * Does work of this many bytes in the order of a stream: at once, by the caller, when it is
   * little and nothing is before it. Null is nothing to do.
   */
  private int enqueue(Operation operation, long bytes, long streamHandle) {
    Stream stream = machine.usable().stream(streamHandle);
    if (stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (operation == null) {
      return CudaResult.SUCCESS;
    }
    StreamOrder order = stream.context().order();
    return bytes <= INLINE_BYTES && order.isClear(stream)
        ? order.finish(stream, operation)
        : order.start(stream, operation);
  }
}
