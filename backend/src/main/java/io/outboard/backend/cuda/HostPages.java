// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.communicator.posix.Memory;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import java.util.HashMap;
import java.util.Map;

/**
 * Pages of this process at the addresses at which a client has page-locked memory of its own, which
 * kernels get then.
 */
final class HostPages extends CudaDriverForwarding {
  /** Of a session. */
  private static final long MOST_BYTES = 256L << 20;

  private static final long PAGE = 4096;

  private final Map<Long, Long> bytesAt = new HashMap<>();
  private long all;

  HostPages(CudaDriver delegate) {
    super(delegate);
  }

  @Override
  public int outboardPagesMap(long address, long bytes) {
    int result = map(address, bytes);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    result = delegate.outboardManagedMap(address, bytes);
    if (result != CudaResult.SUCCESS) {
      Memory.munmap(address, take(address));
    }
    return result;
  }

  @Override
  public int outboardPagesUnmap(long address) {
    long bytes = take(address);
    if (bytes == 0) {
      return CudaResult.INVALID_VALUE;
    }
    int result = delegate.outboardManagedUnmap(address);
    Memory.munmap(address, bytes);
    return result;
  }

  /** Maps zeros, where nothing is yet. */
  private synchronized int map(long address, long bytes) {
    if (bytes <= 0 || bytes > MOST_BYTES - all || ((address | bytes) & (PAGE - 1)) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    int how = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS;
    if (!Memory.mapAt(address, bytes, access, how, -1, 0)) {
      return CudaResult.ALREADY_MAPPED;
    }
    bytesAt.put(address, bytes);
    all += bytes;
    return CudaResult.SUCCESS;
  }

  /**
   * Removes a mapping from the books and returns its bytes, 0 if there is none. The caller then has
   * to unmap it.
   */
  private synchronized long take(long address) {
    long bytes = bytesAt.getOrDefault(address, 0L);
    bytesAt.remove(address);
    all -= bytes;
    return bytes;
  }
}
