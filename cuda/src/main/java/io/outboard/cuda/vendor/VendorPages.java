// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.PageRuns;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongToIntFunction;

/**
 * Memory whose pages travel: managed memory of the driver's, and memory of this process that
 * kernels use. Nothing else is read or written: an address outside this list is an invalid value,
 * and no entry goes while it is used.
 */
final class VendorPages {
  /** Most pieces of a session. */
  private static final int MOST = 1 << 16;

  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();
  private final PageCopies copies;

  /**
   * A piece that the driver has allocated at or before its first page.
   *
   * @param ofHost it is memory of this process, which the processor copies
   */
  private record Piece(long allocated, long bytes, boolean ofHost) {}

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

  void addManaged(long address, long allocated, long bytes) {
    add(address, new Piece(allocated, bytes, false));
  }

  void addHost(long address, long bytes) {
    add(address, new Piece(address, bytes, true));
  }

  private void add(long address, Piece piece) {
    use.writeLock().lock();
    try {
      pieces.put(address, piece);
    } finally {
      use.writeLock().unlock();
    }
  }

  /** Copies runs to memory of this process, one behind the other. */
  int load(long data, PageRuns runs) {
    use.readLock().lock();
    try {
      if (!areKnown(runs)) {
        return CudaResult.INVALID_VALUE;
      }
      if (areOfHost(runs)) {
        PageCopies.loadByProcessor(data, runs);
      } else {
        copies.load(data, runs);
      }
      return CudaResult.SUCCESS;
    } finally {
      use.readLock().unlock();
    }
  }

  private boolean areKnown(PageRuns runs) {
    for (int run = 0; run < runs.count(); run++) {
      if (find(runs.address(run), runs.size(run)) == null) {
        return false;
      }
    }
    return true;
  }

  /** Whether no device can copy one of them. */
  private boolean areOfHost(PageRuns runs) {
    for (int run = 0; run < runs.count(); run++) {
      if (find(runs.address(run), runs.size(run)).ofHost()) {
        return true;
      }
    }
    return false;
  }

  int store(long address, long data, long bytes) {
    use.readLock().lock();
    try {
      Piece piece = data == 0 ? null : find(address, bytes);
      if (piece == null) {
        return CudaResult.INVALID_VALUE;
      }
      if (piece.ofHost()) {
        Native.copy(data, address, bytes);
      } else {
        copies.store(address, data, bytes);
      }
      return CudaResult.SUCCESS;
    } finally {
      use.readLock().unlock();
    }
  }

  /** The piece that has all these bytes, or null. */
  private Piece find(long address, long bytes) {
    Map.Entry<Long, Piece> piece = pieces.floorEntry(address);
    if (piece == null || bytes < 0) {
      return null;
    }
    long offset = address - piece.getKey();
    long whole = piece.getValue().bytes();
    return offset <= whole && bytes <= whole - offset ? piece.getValue() : null;
  }

  /**
   * Frees memory, which may be another's; memory that cannot be freed returns to the list. The
   * driver may wait for a function of the program that touches a page, so no lock is held then.
   */
  int end(long address, LongToIntFunction free) {
    Piece piece = remove(address);
    int result = free.applyAsInt(piece == null ? address : piece.allocated());
    if (result != CudaResult.SUCCESS && piece != null) {
      add(address, piece);
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
