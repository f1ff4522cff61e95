// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;

/**
 * What is done when the program is about to learn that something is over. The end of a wait is
 * announced as soon as the host's library tells of it: a processor that sleeps takes tens of
 * microseconds to wake, as long as the answer takes to be made where the device has just had the
 * caches. And what kernels have printed is the program's then ({@code printf}; OpenCL C
 * specification 3.0, section 6.15.14).
 */
final class LearntEnds extends OpenClDriverForwarding {
  private final Runnable announce;
  private final Runnable forward;

  /** Has ends announced by {@code announce}, and what was printed forwarded by {@code forward}. */
  LearntEnds(OpenClDriver served, Runnable announce, Runnable forward) {
    super(served);
    this.announce = announce;
    this.forward = forward;
  }

  @Override
  public int clFinish(long queue) {
    return waited(delegate.clFinish(queue));
  }

  @Override
  public int clWaitForEvents(int count, long events) {
    return waited(delegate.clWaitForEvents(count, events));
  }

  @Override
  public int outboardWaitTimed(long event, long times) {
    return waited(delegate.outboardWaitTimed(event, times));
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
    return waited(delegate.outboardWaitRead(event, times, queue, buffer, offset, size, data, read));
  }

  @Override
  public int outboardRead(
      long queue, long buffer, long offset, long size, long data, int waits, long waitList) {
    return waited(delegate.outboardRead(queue, buffer, offset, size, data, waits, waitList));
  }

  @Override
  public int clGetEventInfo(long event, int name, long size, long value, long sizeRet) {
    return asked(delegate.clGetEventInfo(event, name, size, value, sizeRet));
  }

  @Override
  public int outboardLand(long landing, int waits, long offset, long data, long bytes, long total) {
    return asked(delegate.outboardLand(landing, waits, offset, data, bytes, total));
  }

  private int waited(int result) {
    announce.run();
    return asked(result);
  }

  private int asked(int result) {
    forward.run();
    return result;
  }
}
