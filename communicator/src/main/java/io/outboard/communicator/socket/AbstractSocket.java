// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.SocketAddress;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * Unix sockets whose name is no file (unix(7), "abstract"): nothing is left of them, however their
 * process ends. No permission guards the name, so whoever accepts asks who it is ({@link
 * Sockets#peerProcess}), and whoever connects knows that the name is taken.
 */
public final class AbstractSocket {
  private static final int BACKLOG = 128;

  private AbstractSocket() {}

  /** Waits for those who know the name. */
  public static Listener listen(String name) throws IOException {
    Endpoint endpoint = Endpoint.unix("@" + name);
    int socket = open(one -> bindAndListen(one, name), "cannot listen at " + endpoint);
    return new SocketListener(endpoint, socket, _ -> {}, Optional.empty(), () -> {});
  }

  private static int bindAndListen(int socket, String name) {
    try (Arena arena = Arena.ofConfined()) {
      int bound = Sockets.bind(socket, address(arena, name));
      return bound < 0 ? bound : Sockets.listen(socket, BACKLOG);
    }
  }

  /** Connects to a listener; returns the descriptor. */
  public static int connect(String name) throws IOException {
    return open(one -> tryToConnect(one, name), "cannot connect to @" + name);
  }

  /** Connects a socket, which may be of another network namespace: the name is one of that. */
  public static void connect(int socket, String name) throws IOException {
    Errno.check(tryToConnect(socket, name), "cannot connect to @" + name);
  }

  private static int tryToConnect(int socket, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return Sockets.connect(socket, address(arena, name));
    }
  }

  private static int open(IntUnaryOperator use, String failure) throws IOException {
    int socket = Errno.check(Sockets.socket(Sockets.AF_UNIX), "cannot make a socket");
    int result = use.applyAsInt(socket);
    if (result < 0) {
      Posix.close(socket);
    }
    Errno.check(result, failure);
    return socket;
  }

  private static MemorySegment address(Arena arena, String name) {
    return SocketAddress.unix(arena, "\0" + name);
  }
}
