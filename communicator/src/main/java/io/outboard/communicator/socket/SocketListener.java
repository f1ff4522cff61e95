// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/** A listener on a socket. */
final class SocketListener implements Listener {
  private final Endpoint endpoint;
  private final int socket;
  private final IntConsumer accepted;
  private final Optional<SocketUsers> users;
  private final Runnable closing;
  // Held while accepting, so that the descriptor is closed only when nobody uses its number.
  private final ReentrantLock accepting = new ReentrantLock();
  private volatile boolean closed;

  /**
   * Takes over a socket that listens.
   *
   * @param accepted prepares a connection
   * @param users who may connect, where the operating system knows that
   * @param closing runs once, before the socket is closed
   */
  SocketListener(
      Endpoint endpoint,
      int socket,
      IntConsumer accepted,
      Optional<SocketUsers> users,
      Runnable closing) {
    this.endpoint = endpoint;
    this.socket = socket;
    this.accepted = accepted;
    this.users = users;
    this.closing = closing;
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public int accept() throws IOException {
    accepting.lock();
    try {
      int connection;
      do {
        connection = closed ? CLOSED : Sockets.accept(socket);
      } while (!closed && passing(connection));
      if (closed) {
        return CLOSED;
      }
      accepted.accept(Errno.check(connection, "cannot accept a client at " + endpoint));
      return connection;
    } finally {
      accepting.unlock();
    }
  }

  /** A socket that waits with a limit looks now and then whether this is closed. */
  private static boolean passing(int result) {
    return result == -Errno.EINTR || result == -Errno.ECONNABORTED || result == -Errno.EAGAIN;
  }

  @Override
  public Origin origin(int descriptor) {
    return users.isPresent()
        ? users.get().origin(descriptor)
        : new Origin.Remote(Sockets.peerAddress(descriptor));
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    closing.run();
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
    accepting.lock();
    try {
      Posix.close(socket);
    } finally {
      accepting.unlock();
    }
  }
}
