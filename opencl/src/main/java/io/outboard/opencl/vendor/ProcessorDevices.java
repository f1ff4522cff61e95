// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;

/**
 * Tells when a client makes a context of a device that computes on the host's processors: a thread
 * that looks for the client's next call there takes them from its kernels.
 */
public final class ProcessorDevices extends OpenClDriverForwarding {
  private static final int DEVICE_TYPE = 0x1000;
  private static final long TYPE_CPU = 2;

  private final Runnable used;

  /** Adds it to what serves a session's calls; {@code used} is run for each such device. */
  public ProcessorDevices(OpenClDriver served, Runnable used) {
    super(served);
    this.used = used;
  }

  @Override
  public int clCreateContext(long platform, int numDevices, long devices, long made) {
    return tell(numDevices, devices, super.clCreateContext(platform, numDevices, devices, made));
  }

  @Override
  public int outboardCreateWatchedContext(
      long platform,
      int numDevices,
      long devices,
      long watcher,
      long notify,
      long data,
      long made) {
    int result =
        super.outboardCreateWatchedContext(
            platform, numDevices, devices, watcher, notify, data, made);
    return tell(numDevices, devices, result);
  }

  private int tell(int count, long devices, int result) {
    for (int i = 0; result == OpenClResult.SUCCESS && i < count; i++) {
      if (isProcessor(Native.getLong(devices + (long) Long.BYTES * i))) {
        used.run();
      }
    }
    return result;
  }

  private boolean isProcessor(long device) {
    long type =
        VendorExtensions.word(
            DEVICE_TYPE,
            (name, size, value, ret) -> delegate.clGetDeviceInfo(device, name, size, value, ret));
    return (type & TYPE_CPU) != 0;
  }
}
