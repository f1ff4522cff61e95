// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Shows the devices that a session may have, as large as it may have them. A program has no others:
 * it asks here for each.
 */
public final class LeasedDevices extends OpenClDriverForwarding {
  private static final int LARGEST_ALLOCATION = 0x1010;
  private static final int MEMORY = 0x101F;
  private static final int COMMAND_BUFFER_QUEUES = 0x1294;

  private final LongPredicate may;
  private final LongUnaryOperator limit;

  /**
   * Adds it to what serves a session's calls.
   *
   * @param may whether the session may have a device
   * @param limit the bytes that it may have of a device
   */
  public LeasedDevices(OpenClDriver served, LongPredicate may, LongUnaryOperator limit) {
    super(served);
    this.may = may;
    this.limit = limit;
  }

  @Override
  public int clGetDeviceInfo(long device, int name, long size, long value, long sizeRet) {
    int result = delegate.clGetDeviceInfo(device, name, size, value, sizeRet);
    boolean bytes = name == MEMORY || name == LARGEST_ALLOCATION;
    if (result == OpenClResult.SUCCESS && bytes && value != 0) {
      Native.putLong(value, Math.min(Native.getLong(value), limit.applyAsLong(device)));
    }
    return result;
  }

  /**
   * On other queues than the recording's, these wait for the end: the lease's meter looks at them.
   */
  @Override
  public int clEnqueueCommandBufferKHR(
      int numQueues, long queues, long commandBuffer, int waits, long waitList, long event) {
    if (numQueues < 1) {
      return delegate.clEnqueueCommandBufferKHR(
          numQueues, queues, commandBuffer, waits, waitList, event);
    }
    try (Arena arena = Arena.ofConfined()) {
      long own = arena.allocate(ValueLayout.JAVA_LONG).address();
      int result =
          delegate.clEnqueueCommandBufferKHR(
              numQueues, queues, commandBuffer, waits, waitList, own);
      if (result == OpenClResult.SUCCESS) {
        int unused = delegate.clEnqueueBarrierWithWaitList(queue(commandBuffer), 1, own, 0);
        handOn(Native.getLong(own), event);
      }
      return result;
    }
  }

  /** The first queue of the recording. */
  private long queue(long commandBuffer) {
    byte[] queues =
        ServedDevices.answer(
            COMMAND_BUFFER_QUEUES,
            (name, size, value, ret) ->
                delegate.clGetCommandBufferInfoKHR(commandBuffer, name, size, value, ret));
    return queues == null || queues.length < Long.BYTES
        ? 0
        : MemorySegment.ofArray(queues).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
  }

  private void handOn(long made, long event) {
    if (event != 0) {
      Native.putLong(event, made);
    } else {
      int unused = delegate.clReleaseEvent(made);
    }
  }

  @Override
  public int clGetDeviceIDs(
      long platform, long deviceType, int numEntries, long devices, long numDevices) {
    if ((devices == 0 && numDevices == 0) || (devices != 0 && numEntries < 1)) {
      return OpenClResult.INVALID_VALUE;
    }
    try (Arena arena = Arena.ofConfined()) {
      long count = arena.allocate(ValueLayout.JAVA_INT).address();
      int result = delegate.clGetDeviceIDs(platform, deviceType, 0, 0, count);
      int there = result == OpenClResult.SUCCESS ? Native.getInt(count) : 0;
      long list = arena.allocate(ValueLayout.JAVA_LONG, there + 1L).address();
      if (there > 0) {
        result = delegate.clGetDeviceIDs(platform, deviceType, there, list, 0);
      }
      return result == OpenClResult.SUCCESS
          ? show(shown(list, there), numEntries, devices, numDevices)
          : result;
    }
  }

  private long[] shown(long list, int there) {
    return LongStream.range(0, there)
        .map(i -> Native.getLong(list + i * Long.BYTES))
        .filter(may)
        .toArray();
  }

  private static int show(long[] shown, int numEntries, long devices, long numDevices) {
    for (int i = 0; devices != 0 && i < Math.min(numEntries, shown.length); i++) {
      Native.putLong(devices + (long) i * Long.BYTES, shown[i]);
    }
    if (numDevices != 0) {
      Native.putInt(numDevices, shown.length);
    }
    return shown.length == 0 ? OpenClResult.DEVICE_NOT_FOUND : OpenClResult.SUCCESS;
  }
}
