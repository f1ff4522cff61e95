// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.spec.Need.CURRENT_CONTEXT;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.WAIT;

import io.outboard.spec.Blocking;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.Invalidates;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Settles;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Contexts; CUDA Driver API, sections 6.7 and 6.8. Each thread's stack of contexts is the
 * frontend's; a call says in which context (lane) it is made, and the worker makes that one
 * current.
 */
public interface CudaContexts {
  /** Retains the primary context of a device, creating it if need be. */
  @Call(20)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Custom("the handle of a primary context, which follows from the device")
  int cuDevicePrimaryCtxRetain(
      @Out(LONG) @Handle(value = CONTEXT, life = Handle.Life.CREATE) long context, int device);

  /** Releases the primary context; the last release destroys it. */
  @Call(21)
  @Blocking
  @Custom("the context stack: the last release ends what is known of the context")
  @Variants("cuDevicePrimaryCtxRelease")
  int cuDevicePrimaryCtxRelease_v2(int device);

  /** Destroys the primary context's state; its handle stays. */
  @Call(22)
  @Blocking
  @Custom("the destructors of context-local storage")
  @Variants("cuDevicePrimaryCtxReset")
  int cuDevicePrimaryCtxReset_v2(int device);

  /** Sets the flags of the primary context ({@code CUctx_flags}). */
  @Call(23)
  @Custom("the state of primary contexts, and how the program waits")
  @Variants("cuDevicePrimaryCtxSetFlags")
  int cuDevicePrimaryCtxSetFlags_v2(int device, int flags);

  /** Whether the primary context is active, and its flags. */
  @Call(24)
  @Custom("two answers that stay until the program changes them")
  int cuDevicePrimaryCtxGetState(int device, @Out(INT) long flags, @Out(INT) long active);

  /** Creates a context and makes it current. */
  @Call(25)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Custom("the context stack of the thread")
  int cuCtxCreate_v2(
      @Out(LONG) @Handle(value = CONTEXT, life = Handle.Life.CREATE) long context,
      int flags,
      int device);

  /** Destroys a context. */
  @Call(26)
  @Blocking
  @Custom("the context stack, and the destructors of context-local storage")
  @Variants("cuCtxDestroy")
  int cuCtxDestroy_v2(@Handle(value = CONTEXT, life = Handle.Life.DESTROY) long context);

  /**
   * Makes a context current to the calling thread of this process. Clients never send it: each
   * frame names its lane.
   */
  @Call(27)
  @Custom("the context stack of the thread")
  int cuCtxSetCurrent(@Handle(CONTEXT) long context);

  /** Waits for all work of the current context. */
  @Call(28)
  @Blocking
  @Settles
  @DeviceWork(WAIT)
  int cuCtxSynchronize();

  /** Reads a limit ({@code CUlimit}). */
  @Call(29)
  @Ready(CURRENT_CONTEXT)
  @Cached(until = "limits")
  int cuCtxGetLimit(@Out(LONG) long value, int limit);

  /** Asks for a limit ({@code CUlimit}). */
  @Call(30)
  @Ready(CURRENT_CONTEXT)
  @Invalidates("limits")
  int cuCtxSetLimit(int limit, long value);

  /** Reads the preferred split of L1 and shared memory. */
  @Call(31)
  int cuCtxGetCacheConfig(@Out(INT) long config);

  /** Prefers a split of L1 and shared memory. */
  @Call(32)
  @Invalidates("everything")
  int cuCtxSetCacheConfig(int config);

  /** The range of stream priorities. */
  @Call(33)
  int cuCtxGetStreamPriorityRange(@Out(INT) long least, @Out(INT) long greatest);

  /** Flags of the current context. */
  @Call(34)
  int cuCtxGetFlags(@Out(INT) long flags);

  /** Version of the interface that the context was made with. */
  @Call(35)
  int cuCtxGetApiVersion(@Handle(CONTEXT) long context, @Out(INT) long version);

  /** A number that no other context of the process has. */
  @Call(36)
  @Custom("the context stack of the thread, and numbers of handles")
  int cuCtxGetId(@Handle(CONTEXT) long context, @Out(LONG) long id);

  /** Sets the flags of the current context. */
  @Call(37)
  int cuCtxSetFlags(int flags);

  /** Gives back the part of the cache that was set aside. */
  @Call(38)
  int cuCtxResetPersistingL2Cache();

  /** The width of shared memory's banks, which devices of today do not let choose. */
  @Call(39)
  int cuCtxGetSharedMemConfig(@Out(INT) long config);

  /** Sets it. */
  @Call(40)
  int cuCtxSetSharedMemConfig(int config);

  /** As {@link #cuCtxCreate_v2}; a limited share of the multiprocessors is refused. */
  @Local(
      prototype =
          "CUresult cuCtxCreate_v3(CUcontext *context, void *affinities, int affinityCount,"
              + " unsigned int flags, int device)")
  default int cuCtxCreate_v3(
      @Out(LONG) long context, long affinities, int affinityCount, int flags, int device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuCtxCreate_v2}; parameters ({@code CUctxCreateParams}) that ask are refused. */
  @Local(
      prototype =
          "CUresult cuCtxCreate_v4(CUcontext *context, const void *parameters, unsigned int flags,"
              + " int device)")
  default int cuCtxCreate_v4(@Out(LONG) long context, long parameters, int flags, int device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Synchronises a given context; null means the current one. */
  @Local(prototype = "CUresult cuCtxSynchronize_v2(CUcontext context)")
  default int cuCtxSynchronize_v2(@Handle(CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The context on top of the calling thread's stack, or null. */
  @Local(prototype = "CUresult cuCtxGetCurrent(CUcontext *context)")
  default int cuCtxGetCurrent(@Out(LONG) @Handle(CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Pushes a context. */
  @Local(prototype = "CUresult cuCtxPushCurrent_v2(CUcontext context)")
  @Variants("cuCtxPushCurrent")
  default int cuCtxPushCurrent_v2(@Handle(CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Pops a context. */
  @Local(prototype = "CUresult cuCtxPopCurrent_v2(CUcontext *context)")
  @Variants("cuCtxPopCurrent")
  default int cuCtxPopCurrent_v2(@Out(LONG) @Handle(CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The device of the current context. */
  @Same(
      as = "cuCtxGetDevice_v2",
      with = {"device", "NULL"})
  default int cuCtxGetDevice(@Out(INT) long device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The device of a given context; null means the current one. */
  @Local(prototype = "CUresult cuCtxGetDevice_v2(int *device, CUcontext context)")
  default int cuCtxGetDevice_v2(@Out(INT) long device, @Handle(CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }
}
