// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory that pools have of a device, whether the program uses it or not (CUDA Driver API,
 * {@code CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT}). It is asked for, not added up: pools give memory
 * back by themselves.
 */
final class PoolMemories {
  private static final int RESERVED = 5;

  private final CudaDriver driver;
  private final MemoryCredit credit;
  // Guarded by this object's monitor.
  private final Map<Long, Pool> pools = new HashMap<>();

  private static final class Pool {
    private final int gpu;
    private long counted;

    Pool(int gpu) {
      this.gpu = gpu;
    }
  }

  PoolMemories(CudaDriver driver, MemoryCredit credit) {
    this.driver = driver;
    this.credit = credit;
  }

  /** A pool is used. */
  synchronized void uses(long pool, int gpu) {
    pools.computeIfAbsent(pool, _ -> new Pool(gpu));
  }

  /** A pool has ended. */
  synchronized void ended(long pool) {
    Pool gone = pools.remove(pool);
    if (gone != null) {
      credit.give(gone.gpu, gone.counted);
    }
  }

  /** Counts what each of them has now. */
  synchronized void count() {
    pools.forEach(this::count);
  }

  /** Has them give back what is not used. */
  synchronized void trim() {
    for (long pool : pools.keySet()) {
      int unused = driver.cuMemPoolTrimTo(pool, 0);
    }
    count();
  }

  private void count(long handle, Pool pool) {
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      if (driver.cuMemPoolGetAttribute(handle, RESERVED, buffer.address()) == CudaResult.SUCCESS) {
        long now = Native.getLong(buffer.address());
        credit.add(pool.gpu, now - pool.counted);
        pool.counted = now;
      }
    }
  }
}
