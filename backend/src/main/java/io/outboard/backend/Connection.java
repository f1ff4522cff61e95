// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Posix;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's descriptor: whole frames in, whole frames out. One thread at a time reads; any may
 * write.
 */
final class Connection {
  /** Room for a frame of any size, and for many small ones a read. */
  private static final long BUFFER = 2L * (Frame.HEADER + Limits.BODY);

  private final int descriptor;
  private final MemorySegment buffer = Arena.global().allocate(BUFFER, 64);
  private final long start = buffer.address();
  private long begin = start;
  private long end = start;
  private final ReentrantLock writing = new ReentrantLock();

  Connection(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Waits for the next frame and returns its address; it stays there until the next call.
   *
   * @throws EOFException if the client has gone
   */
  long next() throws IOException {
    require(Frame.HEADER);
    int length = Native.getInt(begin + Frame.LENGTH);
    if (length < Frame.HEADER || length > Frame.HEADER + Limits.BODY || (length & 7) != 0) {
      throw new ProtocolException("a frame of " + length + " bytes");
    }
    require(length);
    long frame = begin;
    begin += length;
    return frame;
  }

  private void require(long bytes) throws IOException {
    if (begin == end) {
      begin = start;
      end = start;
    }
    if (start + BUFFER - begin < bytes) {
      Native.copy(begin, start, end - begin);
      end -= begin - start;
      begin = start;
    }
    while (end - begin < bytes) {
      long n = Posix.read(descriptor, end, start + BUFFER - end);
      if (n <= 0) {
        throw new EOFException(n == 0 ? "the client has gone" : "read: error " + -n);
      }
      end += n;
    }
  }

  /** Writes a frame. */
  void write(long frame, long bytes) throws IOException {
    writing.lock();
    try {
      for (long done = 0; done < bytes; ) {
        long n = Posix.write(descriptor, frame + done, bytes - done);
        if (n <= 0) {
          throw new EOFException("write: error " + -n);
        }
        done += n;
      }
    } finally {
      writing.unlock();
    }
  }

  /** Writes a frame that is not an answer: text, or a question of this side. */
  void send(int kind, byte[] body) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long padded = Frame.align(body.length);
      MemorySegment frame = arena.allocate(Frame.HEADER + padded, 8);
      MemorySegment.copy(MemorySegment.ofArray(body), 0, frame, Frame.HEADER, body.length);
      Native.putInt(frame.address() + Frame.LENGTH, (int) frame.byteSize());
      Native.putByte(frame.address() + Frame.KIND, (byte) kind);
      Native.putInt(frame.address() + Frame.RESULT, body.length);
      write(frame.address(), frame.byteSize());
    }
  }

  /** Sends text, cut into frames. */
  void text(int kind, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < bytes.length; at += Limits.CHUNK) {
      send(
          kind, java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + Limits.CHUNK)));
    }
  }

  int descriptor() {
    return descriptor;
  }
}
