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

/** Reads frames from a stream, each body into an array of its own. One thread at a time. */
final class FrameInput {
  private static final int ROOM = 1 << 20;

  private final ByteStream stream;
  private final NativeBuffer buffer = new NativeBuffer(ROOM);
  private final byte[] head = new byte[OffloadFrame.HEAD];
  private int from;
  private int to;

  FrameInput(ByteStream stream) {
    this.stream = stream;
  }

  /** A frame, whose body is {@code body}. */
  record Read(OffloadFrame head, byte[] body) {}

  /**
   * Waits for the next one.
   *
   * @throws EOFException if there is none any more
   */
  Read next() throws IOException {
    take(head);
    OffloadFrame frame = OffloadFrame.read(head);
    byte[] body = new byte[frame.length()];
    take(body);
    return new Read(frame, body);
  }

  private void take(byte[] bytes) throws IOException {
    for (int got = 0; got < bytes.length; ) {
      if (from == to) {
        fill();
      }
      int count = Math.min(to - from, bytes.length - got);
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
