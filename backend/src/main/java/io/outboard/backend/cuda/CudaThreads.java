// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.quota.PrimaryContexts;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;

/**
 * Carries what a driver keys to threads of the operating system: a client's calls are made by
 * whichever thread of the worker reads them. Before a call its context is made current, and the
 * per-thread default stream (CUDA Driver API, "Stream synchronization behavior") is a stream made
 * for the client's thread and that context.
 *
 * <p>Contexts are told apart by their handles: a driver may give a new context the value of one
 * that has ended.
 */
final class CudaThreads extends CudaDriverForwarding {
  /** No context's handle. */
  private static final long UNKNOWN = -1;

  /** The handle of the context of a thread, and its value. */
  private final ThreadLocal<long[]> entered = ThreadLocal.withInitial(() -> new long[2]);

  private final ThreadStreams streams = new ThreadStreams();

  private final LostContexts lost;

  CudaThreads(CudaDriver delegate, LostContexts lost) {
    super(delegate);
    this.lost = lost;
  }

  /** Whether a context, 0 for none, is the executing thread's. */
  boolean isIn(long handle) {
    return entered.get()[0] == handle;
  }

  /** Makes a context, 0 for none, current to the executing thread. */
  void enter(long handle, long value) {
    int result = delegate.cuCtxSetCurrent(value);
    boolean done = result == CudaResult.SUCCESS;
    if (!done) {
      // Rather in none than in another one.
      int unused = delegate.cuCtxSetCurrent(0);
    }
    if (lost.lasts(result)) {
      lost.lose(handle, result);
      // A driver may make a lost context current although it says why it is lost.
      int unused = delegate.cuCtxSetCurrent(value);
    }
    entered.get()[0] = done ? handle : UNKNOWN;
    entered.get()[1] = value;
  }

  /** Has another thread enter the context of the executing one. */
  Runnable ofThisThread() {
    long[] its = entered.get().clone();
    return () -> {
      if (!isIn(its[0])) {
        enter(its[0], its[1]);
      }
    };
  }

  /**
   * The default stream of a client's thread in the context that is current, or why there is none.
   */
  long streamOf(int thread, long handle, long value) {
    long stream = streams.find(thread, handle);
    return stream != 0 ? stream : create(thread, handle, value);
  }

  private long create(int thread, long handle, long value) {
    synchronized (streams) {
      long known = streams.find(thread, handle);
      if (known != 0) {
        return known;
      }
      try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
        if (delegate.cuStreamCreate(buffer.address(), 0) != CudaResult.SUCCESS) {
          return Handles.INVALID;
        }
        long stream = Native.getLong(buffer.address());
        streams.put(thread, handle, value, stream);
        return stream;
      }
    }
  }

  /** The new context is current to this thread, on top of the one that was. */
  @Override
  public int cuCtxCreate_v2(long context, int flags, int device) {
    int result = delegate.cuCtxCreate_v2(context, flags, device);
    if (result == CudaResult.SUCCESS) {
      enter(UNKNOWN, 0);
    }
    return result;
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    int result = delegate.cuCtxDestroy_v2(context);
    if (result == CudaResult.SUCCESS) {
      entered.get()[0] = UNKNOWN;
      lost.forget();
      streams.forget(context);
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    int result = delegate.cuDevicePrimaryCtxRetain(context, device);
    if (result == CudaResult.SUCCESS) {
      streams.primary(device, Native.getLong(context));
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    int result = delegate.cuDevicePrimaryCtxRelease_v2(device);
    if (result == CudaResult.SUCCESS && !PrimaryContexts.isActive(delegate, device)) {
      lost.forget();
      streams.forgetPrimary(device);
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    int result = delegate.cuDevicePrimaryCtxReset_v2(device);
    if (result == CudaResult.SUCCESS) {
      lost.forget();
      streams.forgetPrimary(device);
    }
    return result;
  }
}
