// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * One device's queue of one process, by a clock: its kernels do nothing for as many microseconds as
 * their grid is wide.
 */
public final class FakeGpu extends CudaDriverForwarding {
  public static final long CONTEXT = 77;

  private final LongSupplier nanos;
  // All of these are guarded by this object's monitor.
  private final Queue<Long> ends = new ArrayDeque<>();
  private final Map<Long, Long> events = new HashMap<>();
  private long last;
  private long asked;
  private long done;
  private long mostUnderWay;
  private long lastEvent;
  private long eventCalls;
  private volatile Runnable slowly = () -> {};

  public FakeGpu(LongSupplier nanos) {
    super((CudaDriver) null);
    this.nanos = nanos;
  }

  /** Kernels that are done. */
  public synchronized long done() {
    long now = nanos.getAsLong();
    while (!ends.isEmpty() && ends.element() <= now) {
      ends.remove();
      done++;
    }
    return done;
  }

  /** How often somebody asked whether an event is done, or made one happen. */
  public synchronized long eventCalls() {
    return eventCalls;
  }

  /** Sets an action that runs before each answer whether an event is done. */
  public void answerSlowly(Runnable how) {
    slowly = how;
  }

  /** Most kernels that were under way at a time. */
  public synchronized long mostUnderWay() {
    return mostUnderWay;
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
    asked++;
    mostUnderWay = Math.max(mostUnderWay, asked - done());
    last = Math.max(last, nanos.getAsLong()) + gridX * 1_000L;
    ends.add(last);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuStreamIsCapturing(long stream, long status) {
    Native.putInt(status, 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuEventCreate(long event, int flags) {
    Native.putLong(event, ++lastEvent);
    return CudaResult.SUCCESS;
  }

  @Override
  public synchronized int cuEventRecord(long event, long stream) {
    eventCalls++;
    events.put(event, asked);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuEventQuery(long event) {
    slowly.run();
    return query(event);
  }

  private synchronized int query(long event) {
    eventCalls++;
    return done() >= events.get(event) ? CudaResult.SUCCESS : CudaResult.NOT_READY;
  }
}
