// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.cut;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A link that can be cut: a proxy on this machine, to which nobody can connect meanwhile. */
final class CutLink implements AutoCloseable {
  private static final int WAITING = 16;

  private final ServerSocket listener =
      new ServerSocket(0, WAITING, InetAddress.getLoopbackAddress());
  private final URI backend;
  private final List<Socket> sockets = new ArrayList<>();
  private boolean cut;

  /** Opens it to {@code tcp://HOST:PORT}. */
  CutLink(String backend) throws IOException {
    this.backend = URI.create(backend);
    start(this::acceptAll);
  }

  /** Where clients connect to. */
  String endpoint() {
    return "tcp://127.0.0.1:" + listener.getLocalPort();
  }

  /** Ends all connections, and each new one. */
  synchronized void cut() throws IOException {
    cut = true;
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  synchronized void mend() {
    cut = false;
  }

  private static void start(Runnable work) {
    Thread.ofPlatform().daemon().name("cut link").start(work);
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException refused) {
        // That client sees its connection end; after close there is none.
      }
    }
  }

  private synchronized void connect(Socket client) throws IOException {
    if (cut) {
      client.close();
      return;
    }
    Socket server = new Socket(backend.getHost(), backend.getPort());
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    sockets.addAll(List.of(client, server));
    start(() -> pass(client, server));
    start(() -> pass(server, client));
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      long unused = from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // The other direction ends too.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
