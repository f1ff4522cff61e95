// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongToIntFunction;

/**
 * Managed memory of the driver's whose pages travel. The processor reads and writes it and touches
 * nothing else: an address outside this list is an invalid value, and no entry goes while it is
 * used.
 */
final class VendorPages {
  /** Most pieces of a session. */
  private static final int MOST = 1 << 16;

  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();

  /** A piece that the driver has allocated at or before its first page. */
  private record Piece(long allocated, long bytes) {}

  boolean isFull() {
    use.readLock().lock();
    try {
      return pieces.size() >= MOST;
    } finally {
      use.readLock().unlock();
    }
  }

  void add(long address, long allocated, long bytes) {
    use.writeLock().lock();
    try {
      pieces.put(address, new Piece(allocated, bytes));
    } finally {
      use.writeLock().unlock();
    }
  }

  int load(long data, long address, long bytes) {
    return copy(address, bytes, address, data);
  }

  int store(long address, long data, long bytes) {
    return copy(address, bytes, data, address);
  }

  private int copy(long address, long bytes, long from, long to) {
    use.readLock().lock();
    try {
      if (from == 0 || to == 0 || !contains(address, bytes)) {
        return CudaResult.INVALID_VALUE;
      }
      Native.copy(from, to, bytes);
      return CudaResult.SUCCESS;
    } finally {
      use.readLock().unlock();
    }
  }

  private boolean contains(long address, long bytes) {
    Map.Entry<Long, Piece> piece = pieces.floorEntry(address);
    if (piece == null || bytes < 0) {
      return false;
    }
    long offset = address - piece.getKey();
    long whole = piece.getValue().bytes();
    return offset <= whole && bytes <= whole - offset;
  }

  /** Frees memory, which may be another's; memory that cannot be freed stays in the list. */
  int end(long address, LongToIntFunction free) {
    use.writeLock().lock();
    try {
      Piece piece = pieces.remove(address);
      if (piece == null) {
        return free.applyAsInt(address);
      }
      int result = free.applyAsInt(piece.allocated());
      if (result != CudaResult.SUCCESS) {
        pieces.put(address, piece);
      }
      return result;
    } finally {
      use.writeLock().unlock();
    }
  }
}
