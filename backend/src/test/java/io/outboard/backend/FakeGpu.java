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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One device's queue of one process, whose kernels do nothing for as many microseconds as their
 * grid is wide: so other work on the machine hardly changes what is measured.
 */
public final class FakeGpu extends CudaDriverForwarding implements AutoCloseable {
  public static final long CONTEXT = 77;

  private final Thread thread = Thread.ofPlatform().daemon(true).unstarted(this::run);
  private final AtomicLong done = new AtomicLong();
  // All of these are guarded by this object's monitor.
  private final Queue<Kernel> queue = new ArrayDeque<>();
  private final Map<Long, Long> events = new HashMap<>();
  private long asked;
  private long mostUnderWay;
  private long lastEvent;
  private long eventCalls;
  private boolean closed;
  private volatile Runnable slowly = () -> {};

  private record Kernel(long asked, long nanoseconds) {}

  public FakeGpu() {
    super((CudaDriver) null);
    thread.start();
  }

  private void run() {
    long end = System.nanoTime();
    for (Kernel next = next(); next != null; next = next()) {
      // Its thread wakes late; the device does not.
      end = Math.max(end, next.asked) + next.nanoseconds;
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      done.incrementAndGet();
    }
  }

  private synchronized Kernel next() {
    try {
      while (queue.isEmpty() && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    return closed ? null : queue.remove();
  }

  /** Kernels that are done. */
  public long done() {
    return done.get();
  }

  /** How often somebody asked whether an event is done, or made one happen. */
  public synchronized long eventCalls() {
    return eventCalls;
  }

  /** Whoever asks whether an event is done runs this first. */
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
    mostUnderWay = Math.max(mostUnderWay, asked - done.get());
    queue.add(new Kernel(System.nanoTime(), gridX * 1_000L));
    notifyAll();
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
    return done.get() >= events.get(event) ? CudaResult.SUCCESS : CudaResult.NOT_READY;
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
