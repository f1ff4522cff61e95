// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaContexts;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.PrimaryContext;
import io.outboard.wire.Native;

/** Contexts. */
public final class ContextCalls implements CudaContexts {
  /** What {@code cuCtxGetApiVersion} tells of a context of {@code cuCtxCreate_v2} and later. */
  private static final int API_VERSION = 3020;

  /** Bits that {@code CUctx_flags} has. */
  private static final int FLAGS = 0xff;

  /** {@code CUfunc_cache} has the values 0 to 3. */
  private static final int LAST_CACHE_CONFIG = 3;

  /** {@code CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE}. */
  private static final int BANK_CONFIG_FOUR_BYTES = 1;

  private final Machine machine;

  public ContextCalls(Machine machine) {
    this.machine = machine;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    int result = check(device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (context == 0) {
      return CudaResult.INVALID_VALUE;
    }
    PrimaryContext primary = machine.device(device).primary();
    primary.retain();
    Native.putLong(context, primary.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    int result = check(device);
    return result == CudaResult.SUCCESS ? machine.device(device).primary().release() : result;
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    int result = check(device);
    if (result == CudaResult.SUCCESS) {
      machine.device(device).primary().reset();
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxSetFlags_v2(int device, int flags) {
    int result = check(device);
    if (result == CudaResult.SUCCESS && (flags & ~FLAGS) != 0) {
      result = CudaResult.INVALID_VALUE;
    }
    if (result == CudaResult.SUCCESS) {
      machine.device(device).primary().flags(flags);
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxGetState(int device, long flags, long active) {
    int result = check(device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (flags == 0 || active == 0) {
      return CudaResult.INVALID_VALUE;
    }
    PrimaryContext primary = machine.device(device).primary();
    Native.putInt(flags, primary.flags());
    Native.putInt(active, primary.isActive() ? 1 : 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxCreate_v2(long context, int flags, int device) {
    int result = check(device);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    if (context == 0 || (flags & ~FLAGS) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    Context created = Context.create(machine, machine.device(device), flags);
    if (!machine.handles().add(created)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    created.activate();
    machine.current(created);
    Native.putLong(context, created.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    Context ended = machine.handles().get(context, Context.class);
    if (ended == null || ended instanceof PrimaryContext || !machine.handles().remove(ended)) {
      return unknown();
    }
    ended.deactivate();
    if (machine.current() == ended) {
      machine.current(null);
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxSetCurrent(long context) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    Context next = machine.context(context);
    if (next == null && context != 0) {
      return CudaResult.INVALID_CONTEXT;
    }
    machine.current(next);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxSynchronize() {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    return context.order().finishAll();
  }

  @Override
  public int cuCtxGetLimit(long value, int limit) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    int result = value == 0 ? CudaResult.INVALID_VALUE : context.limits().check(limit);
    if (result == CudaResult.SUCCESS) {
      Native.putLong(value, context.limits().get(limit));
    }
    return result;
  }

  @Override
  public int cuCtxSetLimit(int limit, long value) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    int result = context.limits().check(limit, value);
    if (result == CudaResult.SUCCESS) {
      context.limits().set(limit, value);
    }
    return result;
  }

  @Override
  public int cuCtxGetCacheConfig(long config) {
    return put(config, 0);
  }

  @Override
  public int cuCtxSetCacheConfig(int config) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    return config < 0 || config > LAST_CACHE_CONFIG ? CudaResult.INVALID_VALUE : CudaResult.SUCCESS;
  }

  /** Flags that ask how to wait change nothing here. */
  @Override
  public int cuCtxSetFlags(int flags) {
    Context context = machine.current();
    if (context == null || !context.isActive()) {
      return machine.refusal();
    }
    context.flags(flags);
    return CudaResult.SUCCESS;
  }

  /** No part of a cache is set aside. */
  @Override
  public int cuCtxResetPersistingL2Cache() {
    return machine.usable() == null ? machine.refusal() : CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxGetSharedMemConfig(long config) {
    return put(config, BANK_CONFIG_FOUR_BYTES);
  }

  @Override
  public int cuCtxSetSharedMemConfig(int config) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    return config < 0 || config > BANK_CONFIG_FOUR_BYTES + 1
        ? CudaResult.INVALID_VALUE
        : CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxGetStreamPriorityRange(long least, long greatest) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (least != 0) {
      Native.putInt(least, 0);
    }
    if (greatest != 0) {
      Native.putInt(greatest, 0);
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxGetFlags(long flags) {
    Context context = machine.current();
    if (context == null || !context.isActive() || flags == 0) {
      return context == null || !context.isActive() ? machine.refusal() : CudaResult.INVALID_VALUE;
    }
    Native.putInt(flags, context.flags());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxGetApiVersion(long context, long version) {
    if (context != 0 && machine.context(context) == null) {
      return unknown();
    }
    return context == 0 && machine.usable() == null ? machine.refusal() : write(version);
  }

  private static int write(long version) {
    if (version == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(version, API_VERSION);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuCtxGetId(long context, long id) {
    Context asked = context == 0 ? machine.usable() : machine.context(context);
    if (asked == null) {
      return context == 0 ? machine.refusal() : unknown();
    }
    if (id == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(id, asked.handle());
    return CudaResult.SUCCESS;
  }

  private int put(long output, int value) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (output == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(output, value);
    return CudaResult.SUCCESS;
  }

  private int unknown() {
    return machine.isInitialised() ? CudaResult.INVALID_CONTEXT : CudaResult.NOT_INITIALIZED;
  }

  private int check(int device) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    return machine.device(device) == null ? CudaResult.INVALID_DEVICE : CudaResult.SUCCESS;
  }
}
