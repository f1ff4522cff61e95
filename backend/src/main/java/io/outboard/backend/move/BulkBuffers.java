// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;

/** The memory that bulk data passes through, made in blocks that are page-locked as a whole. */
final class BulkBuffers {
  private static final int BLOCK = 16;

  /** Page-locks memory, where that is possible. */
  @FunctionalInterface
  interface Lock {
    void lock(long address, long bytes);
  }

  private final LinkedBlockingDeque<BulkBuffer> free = new LinkedBlockingDeque<>();
  // As long as the session, and so the process, lasts.
  private final List<NativeBuffer> blocks = new ArrayList<>();
  private final int most;
  private int locked;

  /** At most about so many. */
  BulkBuffers(int most) {
    this.most = most;
  }

  /** How many there are, in use or not. */
  synchronized int count() {
    return blocks.size() * BLOCK;
  }

  /** Whether there are as many as may be. */
  synchronized boolean isFull() {
    return count() >= most;
  }

  /** Makes some more, unless there are as many as may be. */
  synchronized void grow() {
    if (isFull()) {
      return;
    }
    NativeBuffer block = new NativeBuffer((long) BLOCK * Limits.CHUNK);
    blocks.add(block);
    for (int i = 0; i < BLOCK; i++) {
      free.addLast(new BulkBuffer(block.address() + (long) i * Limits.CHUNK));
    }
  }

  /** Page-locks those that are not yet. */
  synchronized void lock(Lock lock) {
    for (; locked < blocks.size(); locked++) {
      lock.lock(blocks.get(locked).address(), (long) BLOCK * Limits.CHUNK);
    }
  }

  /** A free one, null if there is none. */
  BulkBuffer poll() {
    return free.pollFirst();
  }

  /** Waits so long for a free one; null if there is none. */
  BulkBuffer poll(long microseconds) throws InterruptedException {
    return free.pollFirst(microseconds, TimeUnit.MICROSECONDS);
  }

  boolean isEmpty() {
    return free.isEmpty();
  }

  /** The one that was used last is the next, for the sake of the processor's caches. */
  void give(BulkBuffer buffer) {
    free.addFirst(buffer);
  }
}
