// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Records that wait for their client, in blocks of whole records. There is room for so many blocks;
 * what comes when they are full is dropped and counted.
 */
final class RecordBlocks {
  /** Bytes of a block, at most: an answer has room for one. */
  static final int BLOCK = 1 << 20;

  private final int most;
  private final Deque<Block> blocks = new ArrayDeque<>();
  private long dropped;

  private static final class Block {
    private final NativeBuffer buffer = new NativeBuffer(BLOCK);
    private int used;
  }

  /** Writes a record to an address. */
  @FunctionalInterface
  interface Writer {
    /** Writes all bytes of it. */
    void write(long address);
  }

  /** Room for so many blocks. */
  RecordBlocks(int most) {
    this.most = most;
  }

  /**
   * Keeps a record of so many bytes, a multiple of 8, at most a block's.
   *
   * @return whether there was room
   */
  synchronized boolean add(int bytes, Writer writer) {
    Block last = blocks.peekLast();
    if (last == null || last.used + bytes > BLOCK) {
      if (blocks.size() == most) {
        dropped++;
        return false;
      }
      last = new Block();
      blocks.addLast(last);
    }
    writer.write(last.buffer.address() + last.used);
    last.used += bytes;
    return true;
  }

  /** Counts records that others have dropped. */
  synchronized void drop(long records) {
    dropped += records;
  }

  /** Bytes of the first block, 0 where there is none. */
  synchronized int first() {
    return blocks.isEmpty() ? 0 : blocks.getFirst().used;
  }

  /** How many records were dropped since the last time. */
  synchronized long dropped() {
    long now = dropped;
    dropped = 0;
    return now;
  }

  /** Hands out the first block, if it has so many bytes; returns whether it has. */
  synchronized boolean take(long to, long bytes) {
    if (blocks.isEmpty() || blocks.getFirst().used != bytes) {
      return false;
    }
    try (NativeBuffer first = blocks.removeFirst().buffer) {
      Native.copy(first.address(), to, bytes);
    }
    return true;
  }
}
