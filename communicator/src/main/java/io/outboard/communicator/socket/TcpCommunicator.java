// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.SocketAddress;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** TCP, {@code tcp://HOST[:PORT]}, without encryption. */
public final class TcpCommunicator implements Communicator {
  /** The scheme. */
  public static final String SCHEME = "tcp";

  /** The port where none is said. */
  public static final int PORT = 14900;

  private static final int BACKLOG = 128;

  private static final Capabilities CAPABILITIES =
      new Capabilities(Distance.NETWORK, Capability.OWN_USE);

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public void check(Endpoint endpoint, Listening how) throws IOException {
    if (!how.insecure() && !resolve(endpoint)[0].isLoopbackAddress()) {
      throw new IOException(
          endpoint
              + " can be reached from other machines and TCP is not encrypted;"
              + " tls:// is, --insecure-tcp allows it, ssh:// needs no open port");
    }
  }

  @Override
  public Listener listen(Endpoint endpoint, Listening how) throws IOException {
    check(endpoint, how);
    InetAddress host = resolve(endpoint)[0];
    int socket = socket(host);
    try (Arena arena = Arena.ofConfined()) {
      Sockets.setOption(socket, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1);
      MemorySegment address = SocketAddress.inet(arena, host, endpoint.portOr(PORT));
      Connected.checkListening(Sockets.bind(socket, address), endpoint);
      Connected.checkListening(Sockets.listen(socket, BACKLOG), endpoint);
      Endpoint actual = new Endpoint(SCHEME, "", endpoint.host(), Sockets.port(socket), "");
      return new SocketListener(
          actual, socket, TcpCommunicator::prepare, Optional.empty(), () -> {});
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    return connect(endpoint, PORT, Connected.CONNECT_MS);
  }

  @Override
  public int connect(Endpoint endpoint, int milliseconds) throws IOException {
    return connect(endpoint, PORT, milliseconds);
  }

  /** Connects to an endpoint of whatever scheme, at that port where it says none. */
  public static int connectTo(Endpoint endpoint, int port) throws IOException {
    return connect(endpoint, port, Connected.CONNECT_MS);
  }

  /** Each of a host's addresses has so many milliseconds. */
  private static int connect(Endpoint endpoint, int port, int milliseconds) throws IOException {
    int result = 0;
    for (InetAddress host : resolve(endpoint)) {
      int socket = socket(host);
      result = connect(socket, host, endpoint.portOr(port), milliseconds);
      if (result == 0) {
        prepare(socket);
        return socket;
      }
      Posix.close(socket);
    }
    return Connected.check(result, endpoint);
  }

  private static int connect(int socket, InetAddress host, int port, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      return Connected.connect(socket, SocketAddress.inet(arena, host, port), milliseconds);
    }
  }

  private static void prepare(int connection) {
    Sockets.setOption(connection, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
    KeepAlive.enable(connection);
  }

  private static int socket(InetAddress host) throws IOException {
    return Errno.check(Sockets.socket(SocketAddress.family(host)), "cannot make a socket");
  }

  private static InetAddress[] resolve(Endpoint endpoint) throws IOException {
    try {
      return InetAddress.getAllByName(endpoint.requireHost());
    } catch (UnknownHostException e) {
      throw new IOException("no such host: " + endpoint, e);
    }
  }
}
