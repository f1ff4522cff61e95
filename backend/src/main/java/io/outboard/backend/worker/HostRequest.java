// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.client.Reconnection;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Answer;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.Optional;

/**
 * A worker's request for a connection to another host, which its daemon makes: a worker has neither
 * a network nor the token. The answer comes over a socket of its own, so that no host holds up
 * another one.
 *
 * <pre>
 *   worker   u32 slot, u32 milliseconds, with the socket for what follows
 *   worker   the Welcome of its session there
 *   daemon   the Welcome again, or that host's Refusal; it hangs up where it cannot connect now
 *   daemon   u8 0, with the connection
 * </pre>
 *
 * @param slot the host's
 * @param milliseconds how long connecting may take
 * @param socket for the rest; the daemon's to close
 */
public record HostRequest(int slot, int milliseconds, int socket) {
  private static final int HEAD = 8;
  private static final int TIMEOUT_MS = 5_000;

  /** The longest that the daemon takes. */
  private static int patience(int milliseconds) {
    return milliseconds * (1 + Reconnection.GREETINGS) + TIMEOUT_MS;
  }

  /**
   * The worker's side: asks.
   *
   * @param channel the connection to the daemon
   * @return the socket for the rest, the caller's to close
   */
  static int ask(int channel, JoinedHost host, int milliseconds) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    try (NativeBuffer head = new NativeBuffer(HEAD)) {
      Native.putInt(head.address(), host.slot().number());
      Native.putInt(head.address() + 4, milliseconds);
      int sent = Descriptors.send(channel, new int[] {pair[1]}, head.address(), HEAD);
      if (sent != HEAD) {
        Posix.close(pair[0]);
        throw new IOException("there is no daemon to ask");
      }
      return pair[0];
    } finally {
      Posix.close(pair[1]);
    }
  }

  /**
   * The worker's side: gets the connection over the socket that {@link #ask} has returned.
   *
   * @throws RefusedException if that host turns the worker away
   * @throws IOException if there is no connection now
   */
  static int await(int socket, JoinedHost host, int milliseconds) throws IOException {
    MessageStream messages = new MessageStream(socket, patience(milliseconds));
    messages.send(host.welcome().encode());
    if (Answer.decode(messages.receive()) instanceof Refusal refusal) {
      throw new RefusedException(refusal);
    }
    return receiveConnection(socket);
  }

  private static int receiveConnection(int socket) throws IOException {
    int[] connection = new int[1];
    Sockets.setReadTimeout(socket, TIMEOUT_MS);
    try (NativeBuffer last = new NativeBuffer(1)) {
      int got = Descriptors.receive(socket, connection, last.address(), 1);
      if (got != 1 || connection[0] < 0) {
        throw new IOException("the daemon has gone");
      }
      return connection[0];
    }
  }

  /** The daemon's side: waits for the next; none if the worker has gone. */
  public static Optional<HostRequest> receive(int channel) {
    int[] socket = new int[1];
    try (NativeBuffer head = new NativeBuffer(HEAD)) {
      int got = Descriptors.receive(channel, socket, head.address(), HEAD);
      if (got == HEAD && socket[0] >= 0) {
        int slot = Native.getInt(head.address());
        return Optional.of(new HostRequest(slot, Native.getInt(head.address() + 4), socket[0]));
      }
      if (socket[0] >= 0) {
        Posix.close(socket[0]);
      }
      return Optional.empty();
    }
  }

  /** The Welcome of the session there, as the worker says. */
  public Welcome session() throws IOException {
    Answer said = Answer.decode(new MessageStream(socket, TIMEOUT_MS).receive());
    if (said instanceof Welcome welcome) {
      return welcome;
    }
    throw new ProtocolException("no Welcome in a worker's request");
  }

  /** Gives the worker its connection, which stays open here. */
  public void grant(Welcome session, int connection) throws IOException {
    new MessageStream(socket, TIMEOUT_MS).send(session.encode());
    try (NativeBuffer last = new NativeBuffer(1)) {
      Errno.check(
          Descriptors.offer(socket, new int[] {connection}, last.address(), 1),
          "the worker has gone, or takes nothing");
    }
  }

  /** Passes on what the host has said. */
  public void refuse(Refusal refusal) throws IOException {
    new MessageStream(socket, TIMEOUT_MS).send(refusal.encode());
  }
}
