// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.cuda.CudaResult;

/**
 * The limits of a context ({@code CUlimit}). They are kept and answered; the software device grows
 * its stacks and buffers as it needs.
 */
public final class ContextLimits {
  /** {@code CUDA_ERROR_UNSUPPORTED_LIMIT}: the device has no such limit. */
  static final int UNSUPPORTED_LIMIT = 215;

  private static final int END = 10;
  private static final int STACK = 0;
  private static final int DEVICE_RUNTIME_SYNC_DEPTH = 3;
  private static final int SHARED_MEMORY = 7;
  private static final int SHARED_MEMORY_OF_GRAPHICS = 9;

  /** Most local memory of a thread (CUDA C++ Programming Guide, "Technical Specifications"). */
  private static final long MOST_STACK = 512 << 10;

  /**
   * Stack of a thread, printf buffer, heap, two of the device runtime, L2 fetch, L2 persistence,
   * shared memory of a multiprocessor, CUDA in graphics.
   */
  private final long[] values = {1 << 10, 1 << 20, 8 << 20, 0, 2048, 64, 0, 0, 0, 0};

  ContextLimits(long sharedBytes) {
    values[SHARED_MEMORY] = sharedBytes;
  }

  /** Whether there is such a limit here, as a result code. */
  public int check(int limit) {
    if (limit < 0 || limit >= END) {
      return CudaResult.INVALID_VALUE;
    }
    return limit == DEVICE_RUNTIME_SYNC_DEPTH || limit == SHARED_MEMORY_OF_GRAPHICS
        ? UNSUPPORTED_LIMIT
        : CudaResult.SUCCESS;
  }

  /** Whether a limit can have a value, as a result code. */
  public int check(int limit, long value) {
    int result = check(limit);
    if (result == CudaResult.SUCCESS && limit >= SHARED_MEMORY) {
      return CudaResult.NOT_PERMITTED;
    }
    boolean tooLarge = limit == STACK && Long.compareUnsigned(value, MOST_STACK) > 0;
    return result == CudaResult.SUCCESS && tooLarge ? CudaResult.INVALID_VALUE : result;
  }

  /** The value of a limit that there is. */
  public synchronized long get(int limit) {
    return values[limit];
  }

  /** Keeps the value of a limit that there is. */
  public synchronized void set(int limit, long value) {
    values[limit] = value;
  }
}
