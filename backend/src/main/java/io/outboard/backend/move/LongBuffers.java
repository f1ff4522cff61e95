// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.ProtocolException;

/** Buffers for long answers, of all connections of a session, with a bound over them all. */
public final class LongBuffers {
  /** An image of 3840 x 2160 with four bytes a pixel. */
  private static final long KEPT = 32L << 20;

  private final long most;
  // Guarded by the lock.
  private long taken;
  private NativeBuffer spare;
  private boolean closed;

  /** For answers of at most so many bytes together. */
  public LongBuffers(long most) {
    this.most = most;
  }

  /**
   * Takes a buffer of so many bytes or more, until {@link #giveBack}. A program that reads one
   * image after the other gets the same pages, since new ones cost more than the copy of the image.
   *
   * @throws ProtocolException if there is not so much
   */
  public synchronized NativeBuffer take(long bytes) {
    if (taken + bytes > most) {
      throw new ProtocolException("long answers of more than " + most + " bytes");
    }
    taken += bytes;
    NativeBuffer room = spare != null ? spare : new NativeBuffer(bytes);
    spare = null;
    room.grow(bytes, 0);
    return room;
  }

  /** Gives back a buffer that was taken for so many bytes. */
  public synchronized void giveBack(NativeBuffer room, long bytes) {
    taken -= bytes;
    if (spare == null && !closed && room.bytes() <= KEPT) {
      spare = room;
    } else {
      room.close();
    }
  }

  /** No buffer is taken any more; one that is in use may still be given back. */
  public synchronized void close() {
    closed = true;
    if (spare != null) {
      spare.close();
      spare = null;
    }
  }
}
