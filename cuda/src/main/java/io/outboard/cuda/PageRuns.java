// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import io.outboard.wire.Native;

/**
 * Runs of pages, as {@link CudaManagedMemory#outboardPagesLoad} is given them.
 *
 * @param addresses where the address of each run's first page is, 8 bytes each
 * @param sizes where the size of each run is in bytes, 8 bytes each
 * @param count of runs
 */
public record PageRuns(long addresses, long sizes, int count) {
  /** The address of a run's first page. */
  public long address(int run) {
    return Native.getLong(addresses + (long) Long.BYTES * run);
  }

  /** The size of a run in bytes. */
  public long size(int run) {
    return Native.getLong(sizes + (long) Long.BYTES * run);
  }

  /** Whether the runs have so many bytes together, and none has less than one. */
  public boolean have(long bytes) {
    if (addresses == 0 || sizes == 0) {
      return false;
    }
    long left = bytes;
    for (int run = 0; run < count; run++) {
      if (size(run) <= 0 || size(run) > left) {
        return false;
      }
      left -= size(run);
    }
    return left == 0;
  }
}
