// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.stream.KeptBytes;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;

/** The writing end of a ring; as careful as {@link RingReader}. */
final class RingWriter {
  private final long data;
  private final long bytes;
  private final long writtenWord;
  private final long readWord;
  private volatile long at;
  private long read;

  /** A ring whose positions, written and read, and bytes lie at these addresses. */
  RingWriter(long written, long read, long data, long bytes) {
    this.data = data;
    this.bytes = bytes;
    this.writtenWord = written;
    this.readWord = read;
  }

  /**
   * The most bytes of a ring that are copied at once, so that the other side copies the part before
   * them meanwhile.
   */
  static long piece(long ring) {
    return ring / 8;
  }

  /** Whether there is room; any thread may ask. Nonsense counts as room: writing tells. */
  boolean ready() {
    return at - Shared.get(readWord) != bytes;
  }

  /** Writes as much as there is room for, a piece at most; 0 if there is none. */
  long write(long address, long wanted) {
    long to = at;
    if (bytes - (to - read) < wanted) {
      read = Shared.get(readWord);
    }
    long used = to - read;
    if (used < 0 || used > bytes) {
      throw new ProtocolException("a ring of which " + -used + " bytes more are read than written");
    }
    long count = Math.min(Math.min(bytes - used, wanted), piece(bytes));
    if (count > 0) {
      copy(address, to & (bytes - 1), count);
      at = to + count;
      Shared.put(writtenWord, to + count);
    }
    return count;
  }

  /** Keeps what was written last, as much as the ring holds: a reader may lack so much. */
  void keep(KeptBytes kept) {
    long to = at;
    int place = (int) (to & (bytes - 1));
    int before = (int) Math.min(to, bytes) - place;
    kept.begin(to - before - place);
    kept.add(data + bytes - before, before);
    kept.add(data, place);
  }

  private void copy(long address, long offset, long count) {
    long straight = Math.min(count, bytes - offset);
    Native.copy(address, data + offset, straight);
    if (straight < count) {
      Native.copy(address + straight, data, count - straight);
    }
  }
}
