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

  private static final int END = 7;
  private static final int DEVICE_RUNTIME_SYNC_DEPTH = 3;
  private static final int DEVICE_RUNTIME_PENDING_LAUNCHES = 4;

  /**
   * Stack of a thread, printf buffer, heap, two of the device runtime, L2 fetch, L2 persistence.
   */
  private final long[] values = {1 << 10, 1 << 20, 8 << 20, 0, 0, 64, 0};

  /** Whether there is such a limit here, as a result code. */
  public int check(int limit) {
    if (limit < 0 || limit >= END) {
      return CudaResult.INVALID_VALUE;
    }
    return limit == DEVICE_RUNTIME_SYNC_DEPTH || limit == DEVICE_RUNTIME_PENDING_LAUNCHES
        ? UNSUPPORTED_LIMIT
        : CudaResult.SUCCESS;
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
