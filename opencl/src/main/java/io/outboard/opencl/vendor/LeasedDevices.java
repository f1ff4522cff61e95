// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Shows the devices that a session may have. A program has no others: it asks here for each. */
public final class LeasedDevices extends OpenClDriverForwarding {
  private final LongPredicate may;

  /** Adds it to what serves a session's calls. */
  public LeasedDevices(OpenClDriver served, LongPredicate may) {
    super(served);
    this.may = may;
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
