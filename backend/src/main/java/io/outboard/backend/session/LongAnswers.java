// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;

/** Room for answers that are longer than a frame, of all connections of a session. */
final class LongAnswers {
  /** Most bytes of such answers on their way. */
  private static final long MOST = 2L * Limits.REPLY;

  /** An image of 3840 x 2160 with four bytes a pixel. */
  private static final long KEPT = 32L << 20;

  // Guarded by the lock.
  private long taken;
  private NativeBuffer spare;
  private boolean closed;

  /**
   * Takes room for an answer of so many bytes and its header, until {@link #giveBack}. A program
   * that reads one image after the other gets the same pages, since new ones cost more than the
   * copy of the image.
   *
   * @throws ProtocolException if there is not so much
   */
  synchronized NativeBuffer take(int bytes) {
    if (taken + bytes > MOST) {
      throw new ProtocolException("long answers of more than " + MOST + " bytes");
    }
    taken += bytes;
    NativeBuffer room = spare != null ? spare : new NativeBuffer(Frame.HEADER + (long) bytes);
    spare = null;
    room.grow(Frame.HEADER + (long) bytes, 0);
    return room;
  }

  /** Such an answer has left. */
  synchronized void giveBack(NativeBuffer room, int bytes) {
    taken -= bytes;
    if (spare == null && !closed && room.bytes() <= KEPT) {
      spare = room;
    } else {
      room.close();
    }
  }

  /** No answer begins any more; one that is on its way may still be given back. */
  synchronized void close() {
    closed = true;
    if (spare != null) {
      spare.close();
      spare = null;
    }
  }
}
