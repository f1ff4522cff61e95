// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import io.outboard.cuda.CudaResult;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongToIntFunction;

/**
 * Managed memory of the driver's whose pages travel. Nothing else is read or written: an address
 * outside this list is an invalid value, and no entry goes while it is used.
 */
final class VendorPages {
  /** Most pieces of a session. */
  private static final int MOST = 1 << 16;

  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();
  private final PageCopies copies;

  /** A piece that the driver has allocated at or before its first page. */
  private record Piece(long allocated, long bytes) {}

  VendorPages(PageCopies copies) {
    this.copies = copies;
  }

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
    return use(address, data, bytes, () -> copies.load(data, address, bytes));
  }

  int store(long address, long data, long bytes) {
    return use(address, data, bytes, () -> copies.store(address, data, bytes));
  }

  private int use(long address, long data, long bytes, Runnable copy) {
    use.readLock().lock();
    try {
      if (data == 0 || !contains(address, bytes)) {
        return CudaResult.INVALID_VALUE;
      }
      copy.run();
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

  /**
   * Frees memory, which may be another's; memory that cannot be freed returns to the list. The
   * driver may wait for a function of the program that touches a page, so no lock is held then.
   */
  int end(long address, LongToIntFunction free) {
    Piece piece = remove(address);
    int result = free.applyAsInt(piece == null ? address : piece.allocated());
    if (result != CudaResult.SUCCESS && piece != null) {
      add(address, piece.allocated(), piece.bytes());
    }
    return result;
  }

  private Piece remove(long address) {
    use.writeLock().lock();
    try {
      return pieces.remove(address);
    } finally {
      use.writeLock().unlock();
    }
  }

  /** Gives up what copies have of contexts, one of which is about to end. */
  void leaveContexts() {
    use.writeLock().lock();
    try {
      copies.end();
    } finally {
      use.writeLock().unlock();
    }
  }
}
