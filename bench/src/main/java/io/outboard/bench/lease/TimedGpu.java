// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.lease;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;

/**
 * A driver whose calls take as long as they are told, one at a time as behind a driver's lock, and
 * a device whose kernels do. With no time for anything the rest is the caller's cost.
 */
final class TimedGpu extends CudaDriverForwarding {
  static final long CONTEXT = 77;

  private final long callNs;
  private final long launchNs;
  private final long kernelNs;
  // All of these are guarded by this object's monitor. An event is a number from 1 on.
  private final List<Long> events = new ArrayList<>(List.of(0L));
  private long free;
  private long records;

  /**
   * Makes one.
   *
   * @param callNs what asking about an event, or recording one, takes
   * @param launchNs what a launch takes the caller
   * @param kernelNs what a kernel takes the device
   */
  TimedGpu(long callNs, long launchNs, long kernelNs) {
    super((CudaDriver) null);
    this.callNs = callNs;
    this.launchNs = launchNs;
    this.kernelNs = kernelNs;
  }

  /** How often an event was recorded. */
  synchronized long records() {
    return records;
  }

  private static void take(long nanoseconds) {
    if (nanoseconds > 0) {
      long end = System.nanoTime() + nanoseconds;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public int cuCtxSetCurrent(long context) {
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    Native.putLong(context, CONTEXT);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuLaunchKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      long parameters,
      int parameterBytes) {
    take(launchNs);
    if (kernelNs > 0) {
      free = Math.max(free, System.nanoTime()) + kernelNs;
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuStreamIsCapturing(long stream, long status) {
    Native.putInt(status, 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuEventCreate(long event, int flags) {
    events.add(0L);
    Native.putLong(event, events.size() - 1);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuEventRecord(long event, long stream) {
    records++;
    take(callNs);
    events.set((int) event, free);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuEventQuery(long event) {
    take(callNs);
    return System.nanoTime() < events.get((int) event) ? CudaResult.NOT_READY : CudaResult.SUCCESS;
  }
}
