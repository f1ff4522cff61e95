// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaKinds;
import io.outboard.wire.Caller;
import io.outboard.wire.Native;
import java.util.HashMap;
import java.util.Map;

/**
 * The driver of another host. A primary context keeps its handle, however often the program retains
 * it, as it keeps its value in a driver.
 */
final class RemoteCuda extends CudaDriverRemote {
  private final Minting caller;
  private final Map<Integer, Long> primaries = new HashMap<>();

  RemoteCuda(Caller caller) {
    Minting minting = new Minting(caller);
    super(minting);
    this.caller = minting;
  }

  @Override
  public synchronized int cuDevicePrimaryCtxRetain(long context, int device) {
    caller.next = primaries.getOrDefault(device, 0L);
    int result = super.cuDevicePrimaryCtxRetain(context, device);
    caller.next = 0;
    if (result == 0 && context != 0) {
      primaries.put(device, Native.getLong(context));
    }
    return result;
  }

  /** A context of its own gets a handle of its own. */
  @Override
  public synchronized int cuCtxCreate_v2(long context, int flags, int device) {
    return super.cuCtxCreate_v2(context, flags, device);
  }

  /** Takes what is latched in the context's lane, for which the call would not be made. */
  @Override
  public int cuCtxDestroy_v2(long context) {
    int unused = cuCtxSynchronize();
    return super.cuCtxDestroy_v2(context);
  }

  /** Hands out a handle that there is already, where one is wanted. */
  private static final class Minting implements Caller {
    private final Caller session;
    // Set and used while the driver's monitor is held.
    private long next;

    Minting(Caller session) {
      this.session = session;
    }

    @Override
    public Request begin(int library, int number, int fixed) {
      return session.begin(library, number, fixed);
    }

    @Override
    public int settle(int result) {
      return session.settle(result);
    }

    @Override
    public long mint(int kind) {
      return kind == CudaKinds.CONTEXT && next != 0 ? next : session.mint(kind);
    }

    @Override
    public long keep(long function, long userData, int position, boolean repeated) {
      return session.keep(function, userData, position, repeated);
    }

    @Override
    public void retire(long handle) {
      if (handle != next) {
        session.retire(handle);
      }
    }
  }
}
