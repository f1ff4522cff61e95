// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.communicator.posix.Memory;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongToIntFunction;

/**
 * Memory of this process that copies in graphs use in the place of memory that only the client has.
 * It is read and written by the client's calls, and nothing else is.
 */
final class StagingBuffers {
  /** Most staging buffers of a session. */
  private static final int MOST = 1 << 16;

  /** Most bytes of them all: they are page-locked. */
  private static final long MOST_BYTES = 4L << 30;

  private static final long PAGE = 4096;

  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final SharedRanges ranges = new SharedRanges();
  private long total;

  /** Whether all these bytes lie in one staging buffer. */
  boolean contains(long address, long bytes) {
    synchronized (ranges) {
      return ranges.contains(address, bytes);
    }
  }

  /**
   * Makes one.
   *
   * @param pointer where to write its address
   * @param register page-locks so many bytes at an address; a result code
   */
  int make(long pointer, long bytes, Registration register) {
    long whole = (bytes + PAGE - 1) & -PAGE;
    if (pointer == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (whole <= 0 || !take(whole)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    long address = map(whole);
    int result = address < 0 ? CudaResult.OUT_OF_MEMORY : register.of(address, whole);
    if (result == CudaResult.SUCCESS) {
      remember(address, whole);
      Native.putLong(pointer, address);
      return result;
    }
    if (address >= 0) {
      Memory.munmap(address, whole);
    }
    giveBack(whole);
    return result;
  }

  /** Page-locks memory. */
  interface Registration {
    /** Returns a result code. */
    int of(long address, long bytes);
  }

  private static long map(long bytes) {
    int how = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS | Memory.MAP_POPULATE;
    return Memory.mmap(0, bytes, Memory.PROT_READ | Memory.PROT_WRITE, how, -1, 0);
  }

  private boolean take(long bytes) {
    synchronized (ranges) {
      boolean room = ranges.count() < MOST && bytes <= MOST_BYTES - total;
      total += room ? bytes : 0;
      return room;
    }
  }

  private void giveBack(long bytes) {
    synchronized (ranges) {
      total -= bytes;
    }
  }

  private void remember(long address, long bytes) {
    synchronized (ranges) {
      ranges.add(address, bytes);
    }
  }

  /**
   * Ends one.
   *
   * @param release ends the page-lock of an address, once nothing uses it any more; a result code
   */
  int end(long address, LongToIntFunction release) {
    use.writeLock().lock();
    try {
      long bytes = forget(address);
      if (bytes == 0) {
        return CudaResult.INVALID_VALUE;
      }
      int result = release.applyAsInt(address);
      Memory.munmap(address, bytes);
      giveBack(bytes);
      return result;
    } finally {
      use.writeLock().unlock();
    }
  }

  private long forget(long address) {
    synchronized (ranges) {
      return ranges.remove(address);
    }
  }

  /** Writes to one. */
  int store(long address, long data, long bytes) {
    return copy(address, bytes, data, () -> Native.copy(data, address, bytes));
  }

  /** Reads from one. */
  int load(long data, long address, long bytes) {
    return copy(address, bytes, data, () -> Native.copy(address, data, bytes));
  }

  private int copy(long address, long bytes, long data, Runnable copying) {
    use.readLock().lock();
    try {
      if (data == 0 || !contains(address, bytes)) {
        return CudaResult.INVALID_VALUE;
      }
      copying.run();
      return CudaResult.SUCCESS;
    } finally {
      use.readLock().unlock();
    }
  }
}
