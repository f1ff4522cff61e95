// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.offload.frame.OffloadFrame;
import io.outboard.wire.Native;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads frames from a stream, one thread at a time, each body into an array of its own. One that is
 * of no more use is given back, as fresh ones cost more than most copies.
 */
final class FrameInput {
  private static final int ROOM = 1 << 20;
  private static final int KEPT = 4 << 20;
  private static final byte[] NONE = {};

  private final ByteStream stream;
  private final NativeBuffer buffer = new NativeBuffer(ROOM);
  private final AtomicReference<byte[]> spare = new AtomicReference<>(NONE);
  private final byte[] head = new byte[OffloadFrame.HEAD];
  private int from;
  private int to;

  FrameInput(ByteStream stream) {
    this.stream = stream;
  }

  /** A frame, with whose body {@code body} begins. */
  record Read(OffloadFrame head, byte[] body) {}

  /**
   * Waits for the next one.
   *
   * @throws EOFException if there is none any more
   */
  Read next() throws IOException {
    take(head, head.length);
    OffloadFrame frame = OffloadFrame.read(head);
    byte[] body = room(frame.length());
    take(body, frame.length());
    return new Read(frame, body);
  }

  private byte[] room(int length) {
    byte[] kept = spare.getAndSet(NONE);
    return kept.length >= length ? kept : new byte[length];
  }

  /** Nobody uses the frame any more. */
  void giveBack(Read frame) {
    if (frame.body.length <= KEPT) {
      spare.set(frame.body);
    }
  }

  private void take(byte[] bytes, int length) throws IOException {
    for (int got = 0; got < length; ) {
      if (from == to) {
        fill();
      }
      int count = Math.min(to - from, length - got);
      MemorySegment.copy(
          Native.MEMORY, ValueLayout.JAVA_BYTE, buffer.address() + from, bytes, got, count);
      from += count;
      got += count;
    }
  }

  private void fill() throws IOException {
    long count = stream.read(buffer.address(), ROOM);
    if (count <= 0) {
      throw new EOFException("the client has gone (" + count + ")");
    }
    from = 0;
    to = (int) count;
  }
}
