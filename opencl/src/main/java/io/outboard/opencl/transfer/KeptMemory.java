// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A session's memory for data on its way. Large blocks stay for the next data, up to a bound: the
 * first use of fresh pages takes longer than a copy does.
 */
final class KeptMemory {
  /** Bytes that stay; as many as a client has on their way from a device before it waits. */
  static final long MOST_KEPT = 256L << 20;

  /** Smaller blocks stay with the C library. */
  static final long LARGE = 1 << 20;

  private record Block(long address, long bytes) {}

  private final Map<Long, Block> used = new HashMap<>();
  // The one that was used last is first.
  private final Deque<Block> kept = new ArrayDeque<>();
  private long bytesKept;

  /** Bytes that stay and that nobody uses. */
  synchronized long bytesKept() {
    return bytesKept;
  }

  /** So many bytes, more than 0; 0 if there is no room. */
  synchronized long allocate(long bytes) {
    if (bytes < LARGE) {
      return Staging.allocate(bytes);
    }
    Block block = reuse(bytes);
    if (block == null) {
      block = new Block(Staging.allocate(bytes), bytes);
    }
    if (block.address() != 0) {
      used.put(block.address(), block);
    }
    return block.address();
  }

  /** One that is large enough and at least half used; null if there is none. */
  private Block reuse(long bytes) {
    for (Iterator<Block> all = kept.iterator(); all.hasNext(); ) {
      Block block = all.next();
      if (block.bytes() >= bytes && block.bytes() / 2 <= bytes) {
        all.remove();
        bytesKept -= block.bytes();
        return block;
      }
    }
    return null;
  }

  /** Takes back what {@link #allocate} returned. */
  synchronized void free(long address) {
    Block block = used.remove(address);
    if (block == null || block.bytes() > MOST_KEPT) {
      Staging.free(address);
      return;
    }
    kept.addFirst(block);
    bytesKept += block.bytes();
    while (bytesKept > MOST_KEPT) {
      Block oldest = kept.removeLast();
      bytesKept -= oldest.bytes();
      Staging.free(oldest.address());
    }
  }
}
