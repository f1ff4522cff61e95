// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Message;
import io.outboard.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Messages over a socket, until a moment: a peer that is slow or stops cannot hold its thread for
 * longer, whichever way the bytes go. Exactly the messages are read, never a byte more: what
 * follows belongs to whoever the descriptor is passed to.
 */
public final class MessageStream {
  // RFC 8446, section 5.1.
  private static final byte TLS_ALERT = 21;
  private static final byte TLS_MAJOR = 3;

  private final int socket;
  private final long end;

  /** Messages over {@code socket} for the next {@code milliseconds}. */
  public MessageStream(int socket, int milliseconds) {
    this.socket = socket;
    this.end = System.nanoTime() + milliseconds * 1_000_000L;
  }

  /**
   * Receives a message, whose header is checked and whose content is not.
   *
   * @throws ProtocolException if it is not a message
   * @throws IOException if the peer goes or time is up
   */
  public byte[] receive() throws IOException {
    byte[] header = new byte[Message.HEADER];
    receive(header, 0);
    byte[] message = Arrays.copyOf(header, Message.length(header));
    receive(message, Message.HEADER);
    return message;
  }

  /** Sends a message. */
  public void send(byte[] message) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
      for (int sent = 0; sent < message.length; ) {
        await(Posix.POLLOUT);
        sent += moved(Sockets.send(socket, room.address() + sent, message.length - sent));
      }
    }
  }

  private void receive(byte[] to, int from) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(to.length);
      for (int got = from; got < to.length; ) {
        await(Posix.POLLIN);
        int bytes = Sockets.receive(socket, room.address() + got, to.length - got);
        if (bytes == 0) {
          checkTls(room, got);
          throw new EOFException("the peer has gone");
        }
        got += moved(bytes);
      }
      MemorySegment.copy(room, ValueLayout.JAVA_BYTE, from, to, from, to.length - from);
    }
  }

  /** A peer that wants TLS says so with an alert, which is shorter than a header, and goes. */
  private static void checkTls(MemorySegment room, int got) {
    boolean alert =
        got > 1
            && room.get(ValueLayout.JAVA_BYTE, 0) == TLS_ALERT
            && room.get(ValueLayout.JAVA_BYTE, 1) == TLS_MAJOR;
    if (alert) {
      throw new ProtocolException("it speaks TLS alone: say tls://");
    }
  }

  private static int moved(int result) throws IOException {
    boolean nothing = result == -Errno.EAGAIN || result == -Errno.EINTR;
    return nothing ? 0 : Errno.check(result, "the connection failed");
  }

  private void await(short events) throws IOException {
    long left = (end - System.nanoTime()) / 1_000_000;
    if (left <= 0 || Posix.poll(socket, events, (int) left) == 0) {
      throw new InterruptedIOException("the peer takes too long");
    }
  }
}
