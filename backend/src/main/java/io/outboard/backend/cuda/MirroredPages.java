// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.communicator.posix.Memory;
import io.outboard.cuda.CudaResult;
import java.util.HashMap;
import java.util.Map;

/** Pages of this process at addresses at which a client has others of its own. */
final class MirroredPages {
  /** Of a session. */
  private static final long MOST_BYTES = 256L << 20;

  private static final long PAGE = 4096;

  private final Map<Long, Long> bytesAt = new HashMap<>();
  private long all;

  /** Maps zeros, where nothing is yet. */
  synchronized int map(long address, long bytes) {
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
  synchronized long take(long address) {
    long bytes = bytesAt.getOrDefault(address, 0L);
    bytesAt.remove(address);
    all -= bytes;
    return bytes;
  }
}
