// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;

/**
 * Announces the end of what the program waits for as soon as the host's library tells of it. A
 * processor that sleeps takes tens of microseconds to wake, as long as the answer takes to be made
 * where the device has just had the caches.
 */
final class AnnouncedEnds extends OpenClDriverForwarding {
  private final Runnable announce;

  /** Has ends announced by {@code announce}. */
  AnnouncedEnds(OpenClDriver served, Runnable announce) {
    super(served);
    this.announce = announce;
  }

  @Override
  public int clFinish(long queue) {
    return announced(delegate.clFinish(queue));
  }

  @Override
  public int clWaitForEvents(int count, long events) {
    return announced(delegate.clWaitForEvents(count, events));
  }

  @Override
  public int outboardWaitTimed(long event, long times) {
    return announced(delegate.outboardWaitTimed(event, times));
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
    int result = outboardWaitTimed(event, times);
    if (result == OpenClResult.SUCCESS) {
      Native.putInt(read, delegate.outboardRead(queue, buffer, offset, size, data, 0, 0));
    }
    return result;
  }

  @Override
  public int outboardRead(
      long queue, long buffer, long offset, long size, long data, int waits, long waitList) {
    return announced(delegate.outboardRead(queue, buffer, offset, size, data, waits, waitList));
  }

  private int announced(int result) {
    announce.run();
    return result;
  }
}
