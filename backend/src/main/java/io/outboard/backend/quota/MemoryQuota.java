// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.AllocationProperties;
import io.outboard.cuda.struct.DeviceFacts;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/**
 * Keeps a lease to its memory: calls that take memory of a device are counted, and refused with the
 * documented {@code CUDA_ERROR_OUT_OF_MEMORY} where the lease would exceed its part; the devices
 * look as large as that.
 *
 * <p>Counted are allocations, pools with all that they hold back, physical memory until it is
 * released and mapped nowhere, arrays, and the allocations in graphs from the moment that these can
 * be launched. Not counted: memory of other processes that is opened or imported, which is theirs;
 * page-locked memory, and managed memory that program and kernels share, which lie in the host's
 * memory here. {@link DriverQuota} counts the memory that a driver takes on its own account.
 */
public final class MemoryQuota extends ContextDevices {
  private final MemoryCredit credit;
  private final PhysicalMemories physical;
  private final PoolMemories pools;
  private final GraphMemories graphs;
  private final Map<Long, Counted> counted = new ConcurrentHashMap<>();
  private final Map<Long, Counted> executables = new ConcurrentHashMap<>();

  /** {@code context} is the one with which it ends, if it has not before. */
  private record Counted(int gpu, long bytes, long context) {}

  public MemoryQuota(CudaDriver delegate, MemoryCredit credit) {
    super(delegate);
    this.credit = credit;
    this.physical = new PhysicalMemories(credit);
    this.pools = new PoolMemories(delegate, credit);
    this.graphs = new GraphMemories(delegate);
  }

  /** Makes a call that takes memory, if it may; the memory counts only if the call succeeds. */
  private int taking(int gpu, long bytes, IntSupplier call) {
    if (!take(gpu, bytes)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    credit.begins();
    int result = call.getAsInt();
    if (result != CudaResult.SUCCESS) {
      credit.give(gpu, bytes);
    }
    credit.ends();
    return result;
  }

  /** Takes memory, of what pools do not use if need be. */
  boolean take(int gpu, long bytes) {
    if (credit.take(gpu, bytes)) {
      return true;
    }
    pools.trim();
    return credit.take(gpu, bytes);
  }

  private int taking(Map<Long, Counted> where, long place, int gpu, long bytes, IntSupplier call) {
    int result = taking(gpu, bytes, call);
    if (result == CudaResult.SUCCESS) {
      where.put(Native.getLong(place), new Counted(gpu, bytes, context()));
    }
    return result;
  }

  @Override
  public void ended(long context) {
    counted.forEach(
        (key, one) -> {
          if (one.context() == context && counted.remove(key, one)) {
            credit.give(one.gpu(), one.bytes());
          }
        });
  }

  private int giving(Map<Long, Counted> where, long key, IntSupplier call) {
    // Taken out first: once it is free, the next one may be at the same place.
    Counted one = where.remove(key);
    credit.begins();
    int result = call.getAsInt();
    if (one != null && result == CudaResult.SUCCESS) {
      credit.give(one.gpu(), one.bytes());
    } else if (one != null) {
      where.put(key, one);
    }
    credit.ends();
    return result;
  }

  @Override
  public int cuMemGetInfo_v2(long free, long total) {
    int result = delegate.cuMemGetInfo_v2(free, total);
    if (result == CudaResult.SUCCESS) {
      pools.count();
      int gpu = device();
      Native.putLong(free, Math.min(Native.getLong(free), credit.left(gpu)));
      shrink(total, gpu);
    }
    return result;
  }

  @Override
  public int cuDeviceTotalMem_v2(long bytes, int device) {
    int result = delegate.cuDeviceTotalMem_v2(bytes, device);
    return result == CudaResult.SUCCESS ? shrink(bytes, device) : result;
  }

  @Override
  public int outboardDeviceFacts(long facts, int device) {
    int result = delegate.outboardDeviceFacts(facts, device);
    return result == CudaResult.SUCCESS ? shrink(facts + DeviceFacts.TOTAL_MEMORY, device) : result;
  }

  private int shrink(long bytes, int gpu) {
    Native.putLong(bytes, Math.min(Native.getLong(bytes), credit.limit(gpu)));
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuMemAlloc_v2(long pointer, long bytes) {
    return taking(counted, pointer, device(), bytes, () -> delegate.cuMemAlloc_v2(pointer, bytes));
  }

  @Override
  public int outboardPagesAllocate(long address, long bytes) {
    return taking(
        counted, address, device(), bytes, () -> delegate.outboardPagesAllocate(address, bytes));
  }

  /** The pitch is known afterwards only. */
  @Override
  public int cuMemAllocPitch_v2(
      long pointer, long pitch, long width, long height, int elementBytes) {
    int gpu = device();
    int result =
        taking(
            gpu,
            width * height,
            () -> delegate.cuMemAllocPitch_v2(pointer, pitch, width, height, elementBytes));
    if (result == CudaResult.SUCCESS) {
      long bytes = Native.getLong(pitch) * height;
      credit.add(gpu, bytes - width * height);
      counted.put(Native.getLong(pointer), new Counted(gpu, bytes, context()));
    }
    return result;
  }

  @Override
  public int cuMemFree_v2(long pointer) {
    return giving(counted, pointer, () -> delegate.cuMemFree_v2(pointer));
  }

  @Override
  public int cuMemAllocAsync(long pointer, long bytes, long stream) {
    int gpu = device(stream);
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      if (delegate.cuDeviceGetMemPool(buffer.address(), gpu) == CudaResult.SUCCESS) {
        pools.uses(Native.getLong(buffer.address()), gpu);
      }
    }
    return pooled(gpu, bytes, () -> delegate.cuMemAllocAsync(pointer, bytes, stream));
  }

  @Override
  public int cuMemAllocFromPoolAsync(long pointer, long bytes, long pool, long stream) {
    int gpu = device(stream);
    pools.uses(pool, gpu);
    return pooled(gpu, bytes, () -> delegate.cuMemAllocFromPoolAsync(pointer, bytes, pool, stream));
  }

  /** The memory of a pool counts; the bytes only hold the place until it is known. */
  private int pooled(int gpu, long bytes, IntSupplier call) {
    int result = taking(gpu, bytes, call);
    if (result == CudaResult.SUCCESS) {
      pools.count();
      credit.give(gpu, bytes);
    }
    return result;
  }

  @Override
  public int cuMemPoolDestroy(long pool) {
    int result = delegate.cuMemPoolDestroy(pool);
    if (result == CudaResult.SUCCESS) {
      pools.ended(pool);
    }
    return result;
  }

  @Override
  public int cuMemCreate(long allocation, long bytes, long properties, long flags) {
    int gpu = Native.getInt(properties + AllocationProperties.LOCATION + Integer.BYTES);
    // Not while one is released, whose name the new one may get.
    synchronized (physical) {
      int result =
          taking(gpu, bytes, () -> delegate.cuMemCreate(allocation, bytes, properties, flags));
      if (result == CudaResult.SUCCESS) {
        physical.made(Native.getLong(allocation), gpu, bytes);
      }
      return result;
    }
  }

  @Override
  public int cuMemMap(long pointer, long bytes, long offset, long allocation, long flags) {
    int result = delegate.cuMemMap(pointer, bytes, offset, allocation, flags);
    if (result == CudaResult.SUCCESS) {
      physical.mapped(pointer, allocation);
    }
    return result;
  }

  @Override
  public int cuMemUnmap(long pointer, long bytes) {
    credit.begins();
    int result = delegate.cuMemUnmap(pointer, bytes);
    if (result == CudaResult.SUCCESS) {
      physical.unmapped(pointer, bytes);
    }
    credit.ends();
    return result;
  }

  @Override
  public int cuMemRelease(long allocation) {
    synchronized (physical) {
      credit.begins();
      int result = delegate.cuMemRelease(allocation);
      if (result == CudaResult.SUCCESS) {
        physical.released(allocation);
      }
      credit.ends();
      return result;
    }
  }

  @Override
  public int cuArrayCreate_v2(long array, long description) {
    long bytes =
        ArrayBytes.of(
            Native.getLong(description),
            Native.getLong(description + 8),
            0,
            Native.getInt(description + 16),
            Native.getInt(description + 20));
    return taking(
        counted, array, device(), bytes, () -> delegate.cuArrayCreate_v2(array, description));
  }

  @Override
  public int cuArray3DCreate_v2(long array, long description) {
    return taking(
        counted,
        array,
        device(),
        ofLevels(description, 1),
        () -> delegate.cuArray3DCreate_v2(array, description));
  }

  @Override
  public int cuMipmappedArrayCreate(long array, long description, int levels) {
    return taking(
        counted,
        array,
        device(),
        ofLevels(description, levels),
        () -> delegate.cuMipmappedArrayCreate(array, description, levels));
  }

  private static long ofLevels(long description, int levels) {
    return ArrayBytes.of(
        Native.getLong(description),
        Native.getLong(description + 8),
        Native.getLong(description + 16),
        Native.getInt(description + 24),
        Native.getInt(description + 28),
        Native.getInt(description + 32),
        levels);
  }

  @Override
  public int cuArrayDestroy(long array) {
    return giving(counted, array, () -> delegate.cuArrayDestroy(array));
  }

  @Override
  public int cuMipmappedArrayDestroy(long array) {
    return giving(counted, array, () -> delegate.cuMipmappedArrayDestroy(array));
  }

  @Override
  public int cuGraphInstantiateWithFlags(long executable, long graph, long flags) {
    return taking(
        executables,
        executable,
        device(),
        graphs.of(graph),
        () -> delegate.cuGraphInstantiateWithFlags(executable, graph, flags));
  }

  @Override
  public int cuGraphInstantiateWithParams(long executable, long graph, long parameters) {
    return taking(
        executables,
        executable,
        device(),
        graphs.of(graph),
        () -> delegate.cuGraphInstantiateWithParams(executable, graph, parameters));
  }

  @Override
  public int cuGraphExecDestroy(long executable) {
    return giving(executables, executable, () -> delegate.cuGraphExecDestroy(executable));
  }
}
