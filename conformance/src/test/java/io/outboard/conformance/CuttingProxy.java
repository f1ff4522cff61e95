// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Between a client and a backend, over TCP: cuts one connection after the other, each after so many
 * bytes; once there is no cut left, connections last.
 */
final class CuttingProxy implements AutoCloseable {
  /** How a connection ends. */
  enum How {
    /** Both ends are closed in order. */
    END,
    /** Both ends are reset, and what is on its way is lost. */
    RESET,
    /** The client's end alone is reset; the backend's stays, and hears nothing any more. */
    HALF,
    /** The other way round. */
    FAR
  }

  /**
   * One cut.
   *
   * @param bytes that still pass in one direction; where a connection ends before, the next one has
   *     the cut
   * @param toBackend whether those of the client are counted, or the backend's
   */
  record Cut(How how, boolean toBackend, long bytes) {}

  private static final int PIECE = 16 << 10;

  private final ServerSocket listener;
  private final int backend;
  private final Deque<Cut> cuts;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  // Guarded by this object's monitor.
  private boolean off;

  CuttingProxy(int backend, Collection<Cut> cuts) throws IOException {
    this.backend = backend;
    this.cuts = new ConcurrentLinkedDeque<>(cuts);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::connect);
  }

  String endpoint() {
    return endpoint("tcp");
  }

  /** The same for another scheme, whose bytes are passed on as they are. */
  String endpoint(String scheme) {
    return scheme + "://127.0.0.1:" + listener.getLocalPort();
  }

  /** Cuts that were made. */
  int made() {
    return made.get();
  }

  /** Ends all connections, and each new one, until {@link #on}. */
  synchronized void off() throws IOException {
    off = true;
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  synchronized void on() {
    off = false;
  }

  private static void start(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private void connect() {
    try {
      while (true) {
        connect(listener.accept());
      }
    } catch (IOException e) {
      close();
    }
  }

  private synchronized void connect(Socket client) throws IOException {
    if (off) {
      client.close();
      return;
    }
    Socket server = new Socket(InetAddress.getLoopbackAddress(), backend);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    sockets.addAll(List.of(client, server));
    new Passage(client, server, cuts.poll()).begin();
  }

  /** One connection, both ways. */
  private final class Passage {
    private final Socket client;
    private final Socket server;
    private final Cut cut;
    private final AtomicBoolean over = new AtomicBoolean();

    Passage(Socket client, Socket server, Cut cut) {
      this.client = client;
      this.server = server;
      this.cut = cut;
    }

    void begin() {
      start(() -> pass(client, server, cut != null && cut.toBackend()));
      start(() -> pass(server, client, cut != null && !cut.toBackend()));
    }

    private void pass(Socket from, Socket to, boolean counts) {
      byte[] piece = new byte[PIECE];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        long left = counts ? cut.bytes() : Long.MAX_VALUE;
        for (int n = in.read(piece); n > 0; n = in.read(piece)) {
          out.write(piece, 0, (int) Math.min(n, left));
          left -= n;
          if (left <= 0) {
            made.incrementAndGet();
            end(cut.how());
            return;
          }
        }
        endUncut(How.END);
      } catch (IOException e) {
        endUncut(How.RESET);
      }
    }

    private void endUncut(How how) {
      if (end(how) && cut != null) {
        cuts.addFirst(cut);
      }
    }

    /** The other direction sees it, and ends nothing more: false. */
    private boolean end(How how) {
      if (!over.compareAndSet(false, true)) {
        return false;
      }
      try {
        if (how != How.END) {
          client.setSoLinger(true, 0);
          server.setSoLinger(true, 0);
        }
        if (how != How.FAR) {
          client.close();
        }
        if (how != How.HALF) {
          server.close();
        }
      } catch (IOException e) {
        // The proxy has been closed meanwhile.
        return false;
      }
      return true;
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
