// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.communicator.Endpoint;
import io.outboard.wire.Answer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Challenge;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Proof;
import io.outboard.wire.Token;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/** A peer of a daemon that sends each message of the greeting when a test wants it to. */
public final class RawPeer implements AutoCloseable {
  private final SocketChannel socket;

  public RawPeer(Endpoint endpoint) throws IOException {
    socket = SocketChannel.open(address(endpoint));
  }

  private static SocketAddress address(Endpoint endpoint) {
    return endpoint.scheme().equals("unix")
        ? UnixDomainSocketAddress.of(endpoint.path())
        : new InetSocketAddress(endpoint.host(), endpoint.port());
  }

  /** A Hello with these flags, which names nothing. */
  public static Hello hello(int flags) {
    return hello(flags, Bytes.zero(Message.IDENTITY));
  }

  /** A Hello with these flags, which names a session or a token. */
  public static Hello hello(int flags, Bytes name) {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        1,
        name,
        Bytes.random(Message.NONCE),
        flags,
        List.of(),
        new LinkedHashMap<>(),
        "test");
  }

  void send(byte[] message) throws IOException {
    for (ByteBuffer left = ByteBuffer.wrap(message); left.hasRemaining(); ) {
      socket.write(left);
    }
  }

  /** Says Hello, and returns what the daemon answers. */
  public Answer say(Hello hello) throws IOException {
    send(hello.encode());
    return answer();
  }

  /** Proves a token, and returns what the daemon answers. */
  public Answer prove(Token token, Hello hello, Challenge challenge) throws IOException {
    send(new Proof(token.clientProof(hello.nonce(), challenge.nonce())).encode());
    return answer();
  }

  /** Asks over a control connection; returns the last message of the answer. */
  Control ask(String request) throws IOException {
    send(new Control(Control.Kind.REQUEST, request).encode());
    Control answer;
    do {
      answer = Control.decode(receive());
    } while (!answer.ends());
    return answer;
  }

  Answer answer() throws IOException {
    return Answer.decode(receive());
  }

  private byte[] receive() throws IOException {
    byte[] header = read(Message.HEADER);
    byte[] message = Arrays.copyOf(header, Message.length(header));
    byte[] rest = read(message.length - header.length);
    System.arraycopy(rest, 0, message, header.length, rest.length);
    return message;
  }

  private byte[] read(int bytes) throws IOException {
    ByteBuffer room = ByteBuffer.allocate(bytes);
    while (room.hasRemaining()) {
      if (socket.read(room) < 0) {
        throw new EOFException("the daemon has gone");
      }
    }
    return room.array();
  }

  /** Waits until the daemon ends the connection, or resets one that it has not accepted yet. */
  void awaitEnd() throws IOException {
    ByteBuffer room = ByteBuffer.allocate(Message.HEADER);
    try {
      while (socket.read(room) >= 0) {
        room.clear();
      }
    } catch (SocketException e) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
