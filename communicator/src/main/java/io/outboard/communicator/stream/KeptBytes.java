// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Native;

/**
 * The bytes that were sent and that the other side has not said to have: what is sent again over
 * its next connection. Guarded by its user's lock.
 */
public final class KeptBytes {
  /** At most; a page costs memory once it has been written. */
  private static final int MOST = 8 << 20;

  /** Room that only a frame uses that tells of bytes: both sides may have no other. */
  private static final int SPARE = 4096;

  private final long room = map();
  // Where the oldest byte is; round from there.
  private int begin;
  private int bytes;
  // So many of the last ones are still to be sent over this connection.
  private int unsent;
  // Bytes from the session's first on that are kept no more.
  private long acknowledged;

  private static long map() {
    int flags = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS | Memory.MAP_NORESERVE;
    long address = Memory.mmap(0, MOST, Memory.PROT_READ | Memory.PROT_WRITE, flags, -1, 0);
    if (address < 0) {
      throw new OutOfMemoryError(MOST + " bytes outside the heap: error " + -address);
    }
    return address;
  }

  /** Whether there is room for so many more bytes. */
  public boolean hasRoom(long count) {
    return MOST - bytes >= count + SPARE;
  }

  /** How many bytes are still to be sent over this connection. */
  public int unsent() {
    return unsent;
  }

  /**
   * Sends what a socket has room for, and keeps it; there is room for it here. Bytes that the last
   * connection has not brought over go first.
   *
   * @return how many bytes, or a negated error number
   */
  public int send(int socket, long address, int count) {
    int n = catchUp(socket);
    if (n < 0 || unsent > 0) {
      return n;
    }
    n = sent(Sockets.send(socket, address, count));
    if (n > 0) {
      add(address, n);
    }
    return n;
  }

  private static int sent(int n) {
    return n == -Errno.EAGAIN || n == -Errno.EINTR ? 0 : n;
  }

  /** Sends what the last connection has not brought over; 0 or a negated error number. */
  public int catchUp(int socket) {
    int n = 1;
    while (unsent > 0 && n > 0) {
      n = sent(Sockets.send(socket, unsentAddress(), unsentAtOnce()));
      unsent -= Math.max(n, 0);
    }
    return Math.min(n, 0);
  }

  /** Begins after so many bytes that went another way and are not kept. */
  public void begin(long count) {
    acknowledged = count;
  }

  /** Keeps bytes that have been sent; there is room for them. */
  public void add(long address, int count) {
    int at = (begin + bytes) % MOST;
    int first = Math.min(MOST - at, count);
    Native.copy(address, room + at, first);
    Native.copy(address + first, room, count - first);
    bytes += count;
  }

  /**
   * The other side has so many bytes, counted from the first. An empty ring begins at the front
   * again, so that a client that waits for each answer costs the same few pages.
   *
   * @return false if so many were never sent
   */
  public boolean acknowledge(long count) {
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
  public boolean beginAgain(long count) {
    if (!keepsAfter(count) || count - acknowledged > bytes) {
      return false;
    }
    drop((int) (count - acknowledged));
    unsent = bytes;
    return true;
  }

  /** Whether nothing is gone of what was sent after so many bytes. */
  public boolean keepsAfter(long count) {
    return count >= acknowledged;
  }

  /** Keeps nothing of what there is: no connection goes on from here. */
  public void forget() {
    drop(bytes - unsent);
  }

  private long unsentAddress() {
    return room + (begin + bytes - unsent) % MOST;
  }

  /** As far as they lie one after the other. */
  private int unsentAtOnce() {
    return Math.min(unsent, MOST - (begin + bytes - unsent) % MOST);
  }

  /** Frees the memory. */
  public void close() {
    Memory.munmap(room, MOST);
  }
}
