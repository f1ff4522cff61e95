// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;

/**
 * What kernels print is the program's, as soon as it learns that something is over ({@code printf};
 * OpenCL C specification 3.0, section 6.15.14).
 */
final class KernelOutput extends OpenClDriverForwarding {
  private final Runnable forward;

  /** Has what was printed forwarded by {@code forward}. */
  KernelOutput(OpenClDriver served, Runnable forward) {
    super(served);
    this.forward = forward;
  }

  @Override
  public int clFinish(long queue) {
    return printed(delegate.clFinish(queue));
  }

  @Override
  public int clWaitForEvents(int count, long events) {
    return printed(delegate.clWaitForEvents(count, events));
  }

  @Override
  public int outboardWaitTimed(long event, long times) {
    return printed(delegate.outboardWaitTimed(event, times));
  }

  @Override
  public int outboardWaitRead(
      long event,
      long times,
      long queue,
      long buffer,
      long offset,
      long size,
      long data,
      long read) {
    return printed(
        delegate.outboardWaitRead(event, times, queue, buffer, offset, size, data, read));
  }

  @Override
  public int clGetEventInfo(long event, int name, long size, long value, long sizeRet) {
    return printed(delegate.clGetEventInfo(event, name, size, value, sizeRet));
  }

  @Override
  public int outboardLand(long landing, int waits, long offset, long data, long bytes, long total) {
    return printed(delegate.outboardLand(landing, waits, offset, data, bytes, total));
  }

  @Override
  public int outboardRead(
      long queue, long buffer, long offset, long size, long data, int waits, long waitList) {
    return printed(delegate.outboardRead(queue, buffer, offset, size, data, waits, waitList));
  }

  private int printed(int result) {
    forward.run();
    return result;
  }
}
