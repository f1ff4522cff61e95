// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.wire.Bytes;
import io.outboard.wire.Control;
import io.outboard.wire.Message;
import io.outboard.wire.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

/** A backend that answers each request on its control connections with the same rows. */
final class LyingBackend implements AutoCloseable {
  private final Path socket;
  private final List<String> rows;
  private final ServerSocketChannel listener;

  LyingBackend(Path socket, List<String> rows) throws IOException {
    this.socket = socket;
    this.rows = rows;
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    Thread unused = Thread.ofPlatform().daemon().start(this::serve);
  }

  String uri() {
    return "unix:" + socket;
  }

  private void serve() {
    while (listener.isOpen()) {
      try (SocketChannel client = listener.accept()) {
        converse(client);
      } catch (IOException e) {
        // The client has gone, or the test is over.
      }
    }
  }

  private void converse(SocketChannel client) throws IOException {
    read(client);
    write(client, welcome());
    while (true) {
      read(client);
      for (String row : rows) {
        write(client, new Control(Control.Kind.ROW, row).encode());
      }
      write(client, new Control(Control.Kind.DONE, "").encode());
    }
  }

  private static byte[] welcome() {
    Bytes nobody = Bytes.zero(Message.IDENTITY);
    return new Welcome(
            Message.VERSION,
            nobody,
            nobody,
            Bytes.zero(Message.NONCE),
            0,
            false,
            false,
            false,
            List.of())
        .encode();
  }

  private static void write(SocketChannel client, byte[] message) throws IOException {
    for (ByteBuffer left = ByteBuffer.wrap(message); left.hasRemaining(); ) {
      client.write(left);
    }
  }

  /** A message, whatever it says. */
  private static void read(SocketChannel client) throws IOException {
    ByteBuffer head = fill(client, 8).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer unused = fill(client, head.getInt(4) - 8);
  }

  private static ByteBuffer fill(SocketChannel client, int bytes) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(bytes);
    while (to.hasRemaining()) {
      if (client.read(to) < 0) {
        throw new EOFException("the client has gone");
      }
    }
    return to;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
