// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.Room;
import io.outboard.wire.Native;

/**
 * The bytes that were sent and not acknowledged by the client, to be sent again over its next
 * connection. Guarded by its user's lock.
 */
final class KeptBytes {
  /** At most; a page costs memory once it has been written. */
  static final int MOST = 8 << 20;

  private final Room room = new Room(MOST);
  // Where the oldest byte is; round from there.
  private int begin;
  private int bytes;
  // So many of the last ones are still to be sent over this connection.
  private int unsent;
  // Bytes from the session's first on that are kept no more.
  private long acknowledged;

  int free() {
    return MOST - bytes;
  }

  int unsent() {
    return unsent;
  }

  /** Keeps bytes, for which there is room. */
  void add(long address, int count) {
    int at = (begin + bytes) % MOST;
    int first = Math.min(MOST - at, count);
    Native.copy(address, room.address() + at, first);
    Native.copy(address + first, room.address(), count - first);
    bytes += count;
  }

  /**
   * The client has so many bytes, counted from the first. An empty ring begins at the front again,
   * so that a client that waits for each answer costs the same few pages.
   *
   * @return false if so many were never sent
   */
  boolean acknowledge(long count) {
    if (count <= acknowledged) {
      return true;
    }
    if (count - acknowledged > bytes - unsent) {
      return false;
    }
    drop((int) (count - acknowledged));
    return true;
  }

  private void drop(int count) {
    acknowledged += count;
    bytes -= count;
    begin = bytes > 0 ? (begin + count) % MOST : 0;
  }

  /**
   * A connection begins, whose other side has so many bytes; the rest is unsent.
   *
   * @return false if it cannot go on from there
   */
  boolean beginAgain(long count) {
    if (count < acknowledged || count - acknowledged > bytes) {
      return false;
    }
    drop((int) (count - acknowledged));
    unsent = bytes;
    return true;
  }

  /** Keeps nothing of what there is: no connection goes on from here. */
  void forget() {
    drop(bytes - unsent);
  }

  /** Where the unsent bytes are, as far as they lie one after the other. */
  long unsentAddress() {
    return room.address() + (begin + bytes - unsent) % MOST;
  }

  /** How many lie there. */
  int unsentAtOnce() {
    return Math.min(unsent, MOST - (begin + bytes - unsent) % MOST);
  }

  /** So many of them have been sent. */
  void sent(int count) {
    unsent -= count;
  }

  void close() {
    room.close();
  }
}
