// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.quota.PrimaryContexts;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.vendor.VariableSharing;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Reads and writes managed variables of a driver for a client that has mirrors of them, and touches
 * nothing else. They are memory of this process, which the processor uses as the device does.
 *
 * <p>A variable goes with its module, its library or its context: while one of those ends that has
 * variables, none is touched, and none is found.
 */
final class MirroredVariables extends CudaDriverForwarding {
  private final LongSupplier context;
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final KnownVariables variables = new KnownVariables();
  // By device.
  private final Map<Integer, Long> primaries = new ConcurrentHashMap<>();

  /** {@code context} is the thread's current one, as the driver has it. */
  MirroredVariables(CudaDriver delegate, LongSupplier context) {
    super(delegate);
    this.context = context;
  }

  // ---- finding ----------------------------------------------------------------------------------

  @Override
  public int outboardModuleVariable(
      long pointer, long bytes, long sharing, long module, long name) {
    return find(
        new Found(pointer, bytes, sharing, module),
        () -> delegate.outboardModuleVariable(pointer, bytes, sharing, module, name));
  }

  @Override
  public int outboardLibraryVariable(
      long pointer, long bytes, long sharing, long library, long name, int managed) {
    return find(
        new Found(pointer, bytes, sharing, library),
        () -> delegate.outboardLibraryVariable(pointer, bytes, sharing, library, name, managed));
  }

  /** Where the driver writes what it finds. */
  private record Found(long pointer, long bytes, long sharing, long owner) {
    boolean isMirrored() {
      return Native.getLong(sharing) == VariableSharing.MIRRORED;
    }
  }

  /** Once more, if it is to be remembered, so that it cannot go meanwhile. */
  private int find(Found found, IntSupplier search) {
    int result = search.getAsInt();
    if (result != CudaResult.SUCCESS || !found.isMirrored()) {
      return result;
    }
    if (found.bytes() == 0) {
      return CudaResult.INVALID_VALUE;
    }
    use.writeLock().lock();
    try {
      result = search.getAsInt();
      return result == CudaResult.SUCCESS && found.isMirrored() ? remember(found) : result;
    } finally {
      use.writeLock().unlock();
    }
  }

  private int remember(Found found) {
    long begin = Native.getLong(found.pointer());
    long bytes = Native.getLong(found.bytes());
    return variables.add(new MirroredVariable(begin, bytes, found.owner(), context.getAsLong()))
        ? CudaResult.SUCCESS
        : CudaResult.OUT_OF_MEMORY;
  }

  // ---- reading and writing ----------------------------------------------------------------------

  @Override
  public int outboardMirrorStore(long address, long data, long mask, long words) {
    MaskedWords store = new MaskedWords(address, data, mask, words);
    if (!store.isWhole()) {
      return CudaResult.INVALID_VALUE;
    }
    return use(
        store.begin(),
        store.bytes(),
        variable -> {
          variable.write(store);
          return CudaResult.SUCCESS;
        });
  }

  /** Does something with the variable in which all these bytes lie, which does not go meanwhile. */
  private int use(long address, long bytes, ToIntFunction<MirroredVariable> work) {
    use.readLock().lock();
    try {
      MirroredVariable variable = variables.find(address, bytes);
      return variable == null ? CudaResult.NOT_FOUND : work.applyAsInt(variable);
    } finally {
      use.readLock().unlock();
    }
  }

  @Override
  public int outboardMirrorLoad(long data, long words, long ranges, int count) {
    if (data == 0 || ranges == 0 || count <= 0 || count % 2 != 0) {
      return CudaResult.INVALID_VALUE;
    }
    use.readLock().lock();
    try {
      return load(data, words, ranges, count / 2);
    } finally {
      use.readLock().unlock();
    }
  }

  private int load(long data, long words, long ranges, int count) {
    long left = words;
    for (int i = 0; i < count; i++) {
      long address = Native.getLong(ranges + 16L * i);
      long bytes = Native.getLong(ranges + 16L * i + 8);
      MirroredVariable variable = variables.find(address, bytes);
      if (variable == null) {
        return CudaResult.NOT_FOUND;
      }
      long taken = MaskedWords.around(address, bytes);
      if (taken > left) {
        return CudaResult.INVALID_VALUE;
      }
      variable.read(address, bytes, data + Long.BYTES * (words - left));
      left -= taken;
    }
    return left == 0 ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int outboardMirrorChanges(long changed, long parts, long address, long bytes) {
    return use(
        address,
        bytes,
        variable -> {
          if (changed == 0 || parts != parts(address, bytes)) {
            return CudaResult.INVALID_VALUE;
          }
          variable.compare(address, bytes, changed);
          return CudaResult.SUCCESS;
        });
  }

  private static long parts(long address, long bytes) {
    long words = Long.BYTES * MaskedWords.around(address, bytes);
    return (words + VariableSharing.PART - 1) / VariableSharing.PART;
  }

  // ---- what variables go with -------------------------------------------------------------------

  @Override
  public int cuLibraryGetModule(long module, long library) {
    int result = delegate.cuLibraryGetModule(module, library);
    if (result == CudaResult.SUCCESS) {
      variables.isPart(Native.getLong(module), library);
    }
    return result;
  }

  @Override
  public int cuCtxFromGreenCtx(long made, long green) {
    int result = delegate.cuCtxFromGreenCtx(made, green);
    if (result == CudaResult.SUCCESS) {
      variables.isPart(Native.getLong(made), green);
    }
    return result;
  }

  @Override
  public int cuDevicePrimaryCtxRetain(long retained, int device) {
    int result = delegate.cuDevicePrimaryCtxRetain(retained, device);
    if (result == CudaResult.SUCCESS) {
      primaries.put(device, Native.getLong(retained));
    }
    return result;
  }

  // ---- ends -------------------------------------------------------------------------------------

  @Override
  public int cuModuleUnload(long module) {
    return ending(module, () -> delegate.cuModuleUnload(module));
  }

  @Override
  public int cuLibraryUnload(long library) {
    return ending(library, () -> delegate.cuLibraryUnload(library));
  }

  @Override
  public int cuCtxDestroy_v2(long ended) {
    return ending(ended, () -> delegate.cuCtxDestroy_v2(ended));
  }

  @Override
  public int cuGreenCtxDestroy(long green) {
    return ending(green, () -> delegate.cuGreenCtxDestroy(green));
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    return ending(primary(device), () -> delegate.cuDevicePrimaryCtxReset_v2(device));
  }

  /** The context ends with the last of those who have retained it. */
  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    return ending(
        primary(device),
        () -> delegate.cuDevicePrimaryCtxRelease_v2(device),
        () -> !PrimaryContexts.isActive(delegate, device));
  }

  private long primary(int device) {
    return primaries.getOrDefault(device, 0L);
  }

  private int ending(long whole, IntSupplier end) {
    return ending(whole, end, () -> true);
  }

  /** Where nothing goes with it, others are not held up. */
  private int ending(long whole, IntSupplier end, BooleanSupplier hasEnded) {
    use.readLock().lock();
    try {
      if (!variables.anyOf(whole)) {
        return end.getAsInt();
      }
    } finally {
      use.readLock().unlock();
    }
    use.writeLock().lock();
    try {
      int result = end.getAsInt();
      if (hasEnded.getAsBoolean()) {
        variables.forget(whole);
      }
      return result;
    } finally {
      use.writeLock().unlock();
    }
  }
}
