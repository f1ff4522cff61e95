// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Frames as a test writes and reads them. For one thread. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MS = Patience.milliseconds();

  /** A frame that came. */
  public record Received(int kind, int flags, int result, int thread, long sequence, byte[] body) {
    public long word(int index) {
      return (long)
          ValueLayout.JAVA_LONG_UNALIGNED.varHandle().get(MemorySegment.ofArray(body), 8L * index);
    }
  }

  private final int socket;
  private int library = FakeLibrary.NUMBER;
  private final NativeBuffer out = new NativeBuffer(Frame.HEADER + Limits.BODY);
  private final NativeBuffer in = new NativeBuffer(Frame.HEADER + Limits.BODY);
  private long sequence;

  public RawClient(int socket) {
    this.socket = socket;
  }

  public int socket() {
    return socket;
  }

  /** Sends a call whose body is words. */
  public long call(int number, int flags, int lane, int thread, long... words) {
    for (int i = 0; i < words.length; i++) {
      Native.putLong(out.address() + Frame.HEADER + 8L * i, words[i]);
    }
    header(Frame.KIND_CALL, flags, number, lane, thread, 8 * words.length);
    return sequence;
  }

  /** Sends a call whose body is bytes, a multiple of 8. */
  public long call(int number, int flags, byte[] body) {
    put(body);
    header(Frame.KIND_CALL, flags, number, 0, 1, body.length);
    return sequence;
  }

  /** Sends part of a payload. */
  public void payload(int thread, byte[] bytes) {
    put(bytes);
    Native.putInt(out.address() + Frame.RESULT, bytes.length);
    header(Frame.KIND_PAYLOAD, 0, 0, 0, thread, (int) Frame.align(bytes.length));
  }

  /** Sends a control frame with a body. */
  public void control(int kind, int thread, byte[] body) {
    put(body);
    header(kind, 0, 0, 0, thread, body.length);
  }

  /** Sends the calls that follow to another library. */
  public void use(int number) {
    library = number;
  }

  public void control(int kind, int thread) {
    header(kind, 0, 0, 0, thread, 0);
  }

  private void put(byte[] bytes) {
    MemorySegment.copy(
        bytes, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, out.address() + Frame.HEADER, bytes.length);
  }

  private void header(int kind, int flags, int number, int lane, int thread, int bodyBytes) {
    long frame = out.address();
    Native.putInt(frame + Frame.LENGTH, Frame.HEADER + bodyBytes);
    Native.putByte(frame + Frame.KIND, (byte) kind);
    Native.putByte(frame + Frame.FLAGS, (byte) flags);
    Native.putShort(frame + Frame.CALL, (short) number);
    Native.putInt(frame + Frame.LIBRARY, library);
    Native.putInt(frame + Frame.LANE, lane);
    Native.putInt(frame + Frame.THREAD, thread);
    Native.putLong(frame + Frame.SEQUENCE, ++sequence);
    write(frame, Frame.HEADER + bodyBytes);
  }

  /** Sends bytes as they are; false if the worker takes no more. */
  public boolean raw(byte[] bytes) {
    put(bytes);
    return write(out.address() + Frame.HEADER, bytes.length);
  }

  private boolean write(long address, long bytes) {
    for (long done = 0; done < bytes; ) {
      int n = Sockets.send(socket, address + done, (int) (bytes - done));
      if (n == -Errno.EAGAIN) {
        Posix.poll(socket, Posix.POLLOUT, PATIENCE_MS);
      } else if (n < 0) {
        return false;
      } else {
        done += n;
      }
    }
    return true;
  }

  /** Waits for a frame; null if the worker has gone. */
  public Received receive() {
    if (!read(in.address(), Frame.HEADER)) {
      return null;
    }
    long frame = in.address();
    int bytes = Native.getInt(frame + Frame.LENGTH) - Frame.HEADER;
    if (!read(frame + Frame.HEADER, bytes)) {
      return null;
    }
    byte[] body = new byte[bytes];
    MemorySegment.copy(Native.MEMORY, ValueLayout.JAVA_BYTE, frame + Frame.HEADER, body, 0, bytes);
    return new Received(
        Native.getByte(frame + Frame.KIND),
        Native.getByte(frame + Frame.FLAGS),
        Native.getInt(frame + Frame.RESULT),
        Native.getInt(frame + Frame.THREAD),
        Native.getLong(frame + Frame.SEQUENCE),
        body);
  }

  /** Whether anything comes within a time. */
  public boolean comes(int milliseconds) {
    return Posix.poll(socket, Posix.POLLIN, milliseconds) > 0;
  }

  private boolean read(long address, long bytes) {
    for (long done = 0; done < bytes; ) {
      if (!comes(PATIENCE_MS)) {
        throw new AssertionError("nothing comes");
      }
      long n = Posix.read(socket, address + done, bytes - done);
      if (n <= 0) {
        return false;
      }
      done += n;
    }
    return true;
  }

  @Override
  public void close() {
    Posix.close(socket);
    out.close();
    in.close();
  }
}
