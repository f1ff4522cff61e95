// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;

/** Bytes over a connected socket. */
public final class SocketStream implements ByteStream {
  /** A sleep beside the reader ends at the latest then. */
  private static final int ATTEND_MS = 100;

  private final int socket;
  private final IdleStrategy patience = IdleStrategy.withSocket(this::ready);

  /** Takes over a socket. */
  public SocketStream(int socket) {
    this.socket = socket;
  }

  /** A reader that looks in vain sleeps in the kernel. */
  @Override
  public long read(long address, long bytes) {
    boolean unused = patience.pays();
    return Posix.read(socket, address, bytes);
  }

  @Override
  public boolean ready() {
    return Sockets.ready(socket);
  }

  @Override
  public boolean attend() {
    return Posix.poll(socket, Posix.POLLIN, ATTEND_MS) >= 0;
  }

  @Override
  public long write(long address, long bytes) {
    int n = Sockets.send(socket, address, (int) Math.min(bytes, Integer.MAX_VALUE));
    if (n == -Errno.EAGAIN) {
      Posix.poll(socket, Posix.POLLOUT, -1);
      return 0;
    }
    return n == -Errno.EINTR ? 0 : n;
  }

  @Override
  public void shutdown() {
    Sockets.shutdown(socket, Sockets.SHUT_RDWR);
  }

  @Override
  public void close() {
    Posix.close(socket);
  }
}
