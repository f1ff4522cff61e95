// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;

/**
 * The reading end of a ring. The peer may write anything to the region: its position is copied once
 * and checked in the copy, and this side's own is kept outside.
 */
final class RingReader {
  private final long data;
  private final long bytes;
  private final long writtenWord;
  private final long readWord;
  private volatile long at;
  private volatile long end = Long.MAX_VALUE;
  private long written;

  /** A ring whose positions, written and read, and bytes lie at these addresses. */
  RingReader(long written, long read, long data, long bytes) {
    this.data = data;
    this.bytes = bytes;
    this.writtenWord = written;
    this.readWord = read;
  }

  /** Whether there is something to read; any thread may ask. */
  boolean ready() {
    return written() != at;
  }

  /** Bytes that have been written in all; any thread may ask. */
  long written() {
    return Math.min(Shared.get(writtenWord), end);
  }

  /** Bytes that come from now on are not read. */
  void endHere() {
    end = Shared.get(writtenWord);
  }

  /** Reads what there is, at most {@code limit} bytes and a piece; 0 if there is nothing. */
  long read(long address, long limit) {
    long from = at;
    if (written == from) {
      written = written();
    }
    long there = written - from;
    if (there < 0 || there > bytes) {
      throw new ProtocolException("a ring that holds " + there + " bytes");
    }
    long count = Math.min(Math.min(there, limit), RingWriter.piece(bytes));
    if (count > 0) {
      copy(from & (bytes - 1), address, count);
      at = from + count;
      Shared.put(readWord, from + count);
    }
    return count;
  }

  private void copy(long offset, long address, long count) {
    long straight = Math.min(count, bytes - offset);
    Native.copy(data + offset, address, straight);
    if (straight < count) {
      Native.copy(data, address + straight, count - straight);
    }
  }

  /** Whether so much has been read that a writer that waits is worth waking. */
  boolean hasRoom() {
    return written - at <= bytes / 2;
  }
}
