// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the memory that contexts take by their limits ({@code CUlimit}) beyond their first memory:
 * the local memory of all threads that a device can hold at once, the buffer of {@code printf} and
 * the heap of {@code malloc}. Local memory stays until the context ends.
 */
final class ContextMemories {
  /** {@code CU_LIMIT_STACK_SIZE}. */
  static final int STACK = 0;

  /** {@code CU_LIMIT_MALLOC_HEAP_SIZE}; between the two {@code CU_LIMIT_PRINTF_FIFO_SIZE}. */
  private static final int HEAP = 2;

  private static final int MULTIPROCESSORS = 16;
  private static final int THREADS_OF_MULTIPROCESSOR = 39;

  private final CudaDriver driver;
  private final MemoryCredit credit;
  private final Map<Long, Limits> contexts = new ConcurrentHashMap<>();
  private final Map<Integer, Long> threads = new ConcurrentHashMap<>();

  private static final class Limits {
    private final int gpu;
    // The figure of each limit, and the device's memory that it takes.
    private final long[] values = new long[HEAP + 1];
    private long bytes;

    Limits(int gpu) {
      this.gpu = gpu;
    }

    private long more(int limit, long value, long threads) {
      long each = limit == STACK ? threads : 1;
      if (value < 0 || value > Long.MAX_VALUE / each) {
        return Long.MAX_VALUE;
      }
      long difference = value - values[limit];
      return limit == STACK ? Math.max(0, difference) * each : difference;
    }
  }

  ContextMemories(CudaDriver driver, MemoryCredit credit) {
    this.driver = driver;
    this.credit = credit;
  }

  /** Whether a limit is one of memory. */
  static boolean counts(int limit) {
    return limit >= STACK && limit <= HEAP;
  }

  /** The memory of a value beyond the figure so far, negative for less; of the current context. */
  long more(long context, int gpu, int limit, long value) {
    Limits known = limits(context, gpu);
    synchronized (known) {
      return known.more(limit, value, threads(gpu));
    }
  }

  /** A limit has that value now, for which some bytes have been taken already. */
  void counted(long context, int gpu, int limit, long value, long taken) {
    Limits known = limits(context, gpu);
    synchronized (known) {
      // Another thread may have changed it meanwhile.
      long more = known.more(limit, value, threads(gpu));
      known.values[limit] = limit == STACK ? Math.max(known.values[limit], value) : value;
      known.bytes += more;
      credit.add(gpu, more - taken);
    }
  }

  /** A context has ended. */
  void forget(long context) {
    Limits gone = contexts.remove(context);
    if (gone != null) {
      credit.give(gone.gpu, gone.bytes);
    }
  }

  /** As the context has them from the start. */
  private Limits limits(long context, int gpu) {
    return contexts.computeIfAbsent(context, _ -> read(gpu));
  }

  private Limits read(int gpu) {
    Limits limits = new Limits(gpu);
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      for (int limit = STACK; limit <= HEAP; limit++) {
        boolean known = driver.cuCtxGetLimit(buffer.address(), limit) == CudaResult.SUCCESS;
        limits.values[limit] = known ? Native.getLong(buffer.address()) : 0;
      }
    }
    return limits;
  }

  /** Threads that a device can hold at once. */
  private long threads(int gpu) {
    return threads.computeIfAbsent(
        gpu,
        _ -> Math.max(1, figure(MULTIPROCESSORS, gpu) * figure(THREADS_OF_MULTIPROCESSOR, gpu)));
  }

  private long figure(int attribute, int gpu) {
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      return driver.cuDeviceGetAttribute(buffer.address(), attribute, gpu) == CudaResult.SUCCESS
          ? Native.getInt(buffer.address())
          : 1;
    }
  }
}
