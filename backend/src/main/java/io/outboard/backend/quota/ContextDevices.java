// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Knows the device of the context that is current to a thread, and which contexts end. */
public abstract class ContextDevices extends CudaDriverForwarding {
  private final Map<Long, Integer> devices = new ConcurrentHashMap<>();
  private final Map<Integer, Long> primaries = new ConcurrentHashMap<>();

  @SuppressWarnings("ThreadLocalUsage") // the state of one driver's threads
  private final ThreadLocal<Current> current = ThreadLocal.withInitial(Current::new);

  /** The current context of a thread: one look for each launch. */
  private static final class Current {
    private static final int UNKNOWN = -1;

    private long context;
    private int device = UNKNOWN;
  }

  public ContextDevices(CudaDriver delegate) {
    super(delegate);
  }

  /** A context has ended, and what was made in it. */
  public abstract void ended(long context);

  /** A context is about to end, perhaps. */
  public void ending(long context) {}

  /** The context that is current to the executing thread, 0 for none. */
  public final long context() {
    return current.get().context;
  }

  /** The device whose memory a call takes that names none; the first one where that is unknown. */
  public final int device() {
    int known = current.get().device;
    return known != Current.UNKNOWN ? known : device(0);
  }

  /** The device of a stream. */
  public final int device(long stream) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      return delegate.cuStreamGetDevice(stream, buffer.address()) == CudaResult.SUCCESS
          ? Native.getInt(buffer.address())
          : Math.max(current.get().device, 0);
    }
  }

  @Override
  public final int cuCtxSetCurrent(long context) {
    int result = delegate.cuCtxSetCurrent(context);
    if (result == CudaResult.SUCCESS) {
      enter(context);
    }
    return result;
  }

  private void enter(long context) {
    Current now = current.get();
    now.context = context;
    now.device = devices.getOrDefault(context, Current.UNKNOWN);
  }

  @Override
  public int cuCtxCreate_v2(long context, int flags, int device) {
    int result = delegate.cuCtxCreate_v2(context, flags, device);
    if (result == CudaResult.SUCCESS) {
      enter(learn(context, device));
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    int result = delegate.cuDevicePrimaryCtxRetain(context, device);
    if (result == CudaResult.SUCCESS) {
      primaries.put(device, learn(context, device));
    }
    return result;
  }

  @Override
  public final int cuCtxDestroy_v2(long context) {
    ending(context);
    int result = delegate.cuCtxDestroy_v2(context);
    if (result == CudaResult.SUCCESS) {
      devices.remove(context);
      ended(context);
    }
    return result;
  }

  @Override
  public final int cuDevicePrimaryCtxReset_v2(int device) {
    primaryEnding(device);
    int result = delegate.cuDevicePrimaryCtxReset_v2(device);
    if (result == CudaResult.SUCCESS) {
      primaryEnded(device);
    }
    return result;
  }

  @Override
  public final int cuDevicePrimaryCtxRelease_v2(int device) {
    primaryEnding(device);
    int result = delegate.cuDevicePrimaryCtxRelease_v2(device);
    if (result == CudaResult.SUCCESS && !PrimaryContexts.isActive(delegate, device)) {
      primaryEnded(device);
    }
    return result;
  }

  private void primaryEnding(int device) {
    Long context = primaries.get(device);
    if (context != null) {
      ending(context);
    }
  }

  private void primaryEnded(int device) {
    Long context = primaries.get(device);
    if (context != null) {
      ended(context);
    }
  }

  private long learn(long place, int device) {
    long context = Native.getLong(place);
    devices.put(context, device);
    return context;
  }
}
