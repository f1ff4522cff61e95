// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A link that is long and narrow: a proxy on this machine that passes bytes on late, half the round
 * trip each way, and no faster than a rate, which all connections share. Kernels do this too, where
 * they have {@code netem}.
 */
public final class ShapedLink implements AutoCloseable {
  private static final int WAITING = 16;

  private final ServerSocket listener =
      new ServerSocket(0, WAITING, InetAddress.getLoopbackAddress());
  private final URI backend;
  private final Pace up;
  private final Pace down;

  /**
   * Opens it.
   *
   * @param backend {@code tcp://HOST:PORT}
   * @param roundTrip milliseconds
   * @param megabits a second, each way; zero for no limit
   */
  public ShapedLink(String backend, double roundTrip, double megabits) throws IOException {
    this.backend = URI.create(backend);
    up = new Pace(megabits, roundTrip / 2);
    down = new Pace(megabits, roundTrip / 2);
    Thread.ofPlatform().daemon().name("shaped link").start(this::acceptAll);
  }

  /** Where clients connect to. */
  public String endpoint() {
    return "tcp://127.0.0.1:" + listener.getLocalPort();
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

  private void connect(Socket client) throws IOException {
    try {
      Socket server = new Socket(backend.getHost(), backend.getPort());
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      AtomicInteger open = new AtomicInteger(2);
      new DelayLine(client, server, up, open).start();
      new DelayLine(server, client, down, open).start();
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
