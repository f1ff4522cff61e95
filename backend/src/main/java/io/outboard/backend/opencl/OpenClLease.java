// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.LeasedObjects;
import io.outboard.backend.quota.MemoryCredit;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.opencl.OpenClKinds;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.HostCallback;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.wire.Native;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * OpenCL's objects as a lease sees them. A device that tells a GPU's UUID (the extension
 * cl_khr_device_uuid) is that one of the lease; what another one takes counts on each device of the
 * lease, for nothing says which it is.
 */
final class OpenClLease implements LeasedObjects {
  private static final int MOST_DEVICES = 64;
  private static final int ROOM = MOST_DEVICES * Long.BYTES;
  private static final int DEVICE_TYPE = 0x1000;
  private static final long TYPE_GPU = 4;
  private static final int DEVICE_PARENT = 0x1042;
  private static final int DEVICE_UUID = 0x106A;
  private static final int UUID_BYTES = 16;
  private static final int CONTEXT_DEVICES = 0x1081;
  private static final int QUEUE_DEVICE = 0x1091;
  private static final int COMMAND_BUFFER_QUEUES = 0x1294;
  private static final int EVENT_STATUS = 0x11D3;
  private static final int COMPLETE = 0;

  private final VendorOpenCl host;
  private final Optional<MemoryCredit> credit;
  private final List<String> uuids;
  private final boolean alone;
  private final Map<Long, End> ends = new ConcurrentHashMap<>();
  private final HostCallback callback = new HostCallback(2, this::over);

  /** {@code alone} says whether nothing but OpenCL is served, so that leases are of its devices. */
  OpenClLease(
      VendorOpenCl host, Allotment allotment, Optional<MemoryCredit> credit, boolean alone) {
    this.host = host;
    this.alone = alone;
    this.credit = credit;
    this.uuids = allotment.gpus().stream().map(Allotment.Gpu::uuid).toList();
  }

  private interface Question {
    int ask(long size, long value, long sizeRet);
  }

  /** The words of an answer, none where it fails. */
  private static long[] words(Question question) {
    try (NativeBuffer buffer = new NativeBuffer(ROOM + Long.BYTES)) {
      long size = buffer.address() + ROOM;
      boolean told = question.ask(ROOM, buffer.address(), size) == OpenClResult.SUCCESS;
      long count = told ? Math.clamp(Native.getLong(size) / Long.BYTES, 0, MOST_DEVICES) : 0;
      return IntStream.range(0, (int) count)
          .mapToLong(i -> Native.getLong(buffer.address() + (long) i * Long.BYTES))
          .toArray();
    }
  }

  /** 0 where the answer has none. */
  private static long word(Question question) {
    long[] words = words(question);
    return words.length == 0 ? 0 : words[0];
  }

  private long[] devicesOf(int kind, long value) {
    return switch (kind) {
      case OpenClKinds.CONTEXT ->
          words((size, to, ret) -> host.clGetContextInfo(value, CONTEXT_DEVICES, size, to, ret));
      case OpenClKinds.QUEUE ->
          words((size, to, ret) -> host.clGetCommandQueueInfo(value, QUEUE_DEVICE, size, to, ret));
      case OpenClKinds.COMMAND_BUFFER -> devicesOf(OpenClKinds.QUEUE, queueOf(value));
      default -> new long[0];
    };
  }

  private long queueOf(long commandBuffer) {
    return word(
        (size, to, ret) ->
            host.clGetCommandBufferInfoKHR(commandBuffer, COMMAND_BUFFER_QUEUES, size, to, ret));
  }

  @Override
  public long devices(int kind, long value) {
    long devices = 0;
    for (long device : value == 0 ? new long[0] : devicesOf(kind, value)) {
      OptionalInt place = place(device);
      devices |= place.isPresent() ? 1L << place.getAsInt() : EVERY_DEVICE;
    }
    return devices == 0 ? EVERY_DEVICE : devices;
  }

  /** Which device of the lease it is. */
  private OptionalInt place(long device) {
    int place = uuids.indexOf(uuid(device));
    return place < 0 ? OptionalInt.empty() : OptionalInt.of(place);
  }

  /** As CUDA writes it, of the device of which this is a part; empty where it tells none. */
  private String uuid(long device) {
    long parent = word((n, to, ret) -> host.clGetDeviceInfo(device, DEVICE_PARENT, n, to, ret));
    long[] words =
        words((n, to, ret) -> host.clGetDeviceInfo(device, DEVICE_UUID, UUID_BYTES, to, ret));
    if (parent != 0 || words.length * Long.BYTES != UUID_BYTES) {
      return parent == 0 ? "" : uuid(parent);
    }
    String digits =
        "%016x%016x".formatted(Long.reverseBytes(words[0]), Long.reverseBytes(words[1]));
    return digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "GPU-$1-$2-$3-$4-$5");
  }

  /**
   * Whether a session has a device: its lease is of it, or of devices of CUDA, and this is no GPU
   * that another lease may be of.
   */
  boolean mayHave(long device) {
    long type = word((n, to, ret) -> host.clGetDeviceInfo(device, DEVICE_TYPE, n, to, ret));
    return place(device).isPresent() || (!alone && (type & TYPE_GPU) == 0);
  }

  /** The bytes that the lease may have of a device. */
  long limit(long device) {
    OptionalInt place = place(device);
    return credit
        .map(its -> place.isPresent() ? its.limit(place.getAsInt()) : least(its))
        .orElse(Long.MAX_VALUE);
  }

  private long least(MemoryCredit its) {
    return IntStream.range(0, uuids.size()).mapToLong(its::limit).min().orElse(Long.MAX_VALUE);
  }

  /** The host's library frees an object when no command and no part of it needs it any more. */
  @Override
  public boolean tellsEnd(int kind, long value, End end) {
    if (kind != OpenClKinds.MEMORY || value == 0) {
      return false;
    }
    ends.put(value, end);
    if (host.onEnd(value, callback.address()) == OpenClResult.SUCCESS) {
      return true;
    }
    ends.remove(value);
    return false;
  }

  private void over(long memory, long unused) {
    End end = ends.remove(memory);
    if (end != null) {
      end.over();
    }
  }

  @Override
  public long queue(int kind, long value) {
    long queue = kind == OpenClKinds.COMMAND_BUFFER ? queueOf(value) : value;
    return queue != 0 && host.retainQueue(queue) == OpenClResult.SUCCESS ? queue : 0;
  }

  /** The work before the mark begins, as a program that waits for its turn cannot say so. */
  @Override
  public long mark(long queue) {
    if (queue == 0) {
      return 0;
    }
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      int result = host.clEnqueueMarkerWithWaitList(queue, 0, 0, buffer.address());
      int unused = host.clFlush(queue);
      return result == OpenClResult.SUCCESS ? Native.getLong(buffer.address()) : 0;
    }
  }

  @Override
  public boolean isOver(long mark) {
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      long at = buffer.address();
      int result = host.clGetEventInfo(mark, EVENT_STATUS, Integer.BYTES, at, 0);
      return result != OpenClResult.SUCCESS || Native.getInt(at) <= COMPLETE;
    }
  }

  @Override
  public void done(long queue, long mark) {
    int unused = mark == 0 ? 0 : host.clReleaseEvent(mark);
    unused |= queue == 0 ? 0 : host.clReleaseCommandQueue(queue);
  }
}
