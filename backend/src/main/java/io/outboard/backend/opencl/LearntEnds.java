// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;

/**
 * Forwards what kernels have printed when the program learns that a command is over, since the
 * output is the program's from then on ({@code printf}; OpenCL C specification 3.0, section
 * 6.15.14).
 */
final class LearntEnds extends OpenClDriverForwarding {
  private final Runnable forward;

  /** Has {@code forward} run after each such call. */
  LearntEnds(OpenClDriver served, Runnable forward) {
    super(served);
    this.forward = forward;
  }

  @Override
  public int clFinish(long queue) {
    return learnt(delegate.clFinish(queue));
  }

  @Override
  public int clWaitForEvents(int count, long events) {
    return learnt(delegate.clWaitForEvents(count, events));
  }

  @Override
  public int outboardWaitTimed(long event, long times) {
    return learnt(delegate.outboardWaitTimed(event, times));
  }

  @Override
  public int outboardRead(
      long queue, long buffer, long offset, long size, long data, int waits, long waitList) {
    return learnt(delegate.outboardRead(queue, buffer, offset, size, data, waits, waitList));
  }

  @Override
  public int outboardBulkWrite(
      long queue,
      long buffer,
      long offset,
      long size,
      long transfer,
      int blocking,
      int waits,
      long waitList) {
    return learnt(
        delegate.outboardBulkWrite(
            queue, buffer, offset, size, transfer, blocking, waits, waitList));
  }

  @Override
  public int outboardBulkRead(
      long queue, long buffer, long offset, long size, long transfer, int waits, long waitList) {
    return learnt(
        delegate.outboardBulkRead(queue, buffer, offset, size, transfer, waits, waitList));
  }

  @Override
  public int clGetEventInfo(long event, int name, long size, long value, long sizeRet) {
    return learnt(delegate.clGetEventInfo(event, name, size, value, sizeRet));
  }

  @Override
  public int outboardLand(long landing, int waits, long offset, long data, long bytes, long total) {
    return learnt(delegate.outboardLand(landing, waits, offset, data, bytes, total));
  }

  @Override
  public int outboardBulkLand(long landing, int waits, long bytes, long transfer) {
    return learnt(delegate.outboardBulkLand(landing, waits, bytes, transfer));
  }

  private int learnt(int result) {
    forward.run();
    return result;
  }
}
