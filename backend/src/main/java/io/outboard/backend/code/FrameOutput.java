// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.offload.value.ValueWriter;
import java.io.IOException;

/** Writes frames to a stream, one after the other. Used by many threads. */
final class FrameOutput {
  private static final int ROOM = 1 << 20;

  private final ByteStream stream;
  private final NativeBuffer buffer = new NativeBuffer(ROOM);

  FrameOutput(ByteStream stream) {
    this.stream = stream;
  }

  /** Writes a frame. */
  synchronized void write(ValueWriter frame) throws IOException {
    frame.to(this::write);
  }

  private void write(byte[] bytes, int from, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(ROOM, length - done);
      buffer.put(0, bytes, from + done, part);
      for (long written = 0; written < part; ) {
        long count = stream.write(buffer.address() + written, part - written);
        if (count < 0) {
          throw new IOException("the client has gone (" + count + ")");
        }
        written += count;
      }
      done += part;
    }
  }
}
