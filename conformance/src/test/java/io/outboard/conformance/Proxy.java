// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Between clients and a backend, over TCP: passes connections on, each as its fate has it. */
final class Proxy implements AutoCloseable {
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

  /** The course of one connection, each direction of which has a thread. */
  @FunctionalInterface
  interface Fate {
    /**
     * Passes on bytes that have come, all of them or some.
     *
     * @return how the connection ends now; null if it lasts
     */
    How pass(boolean toBackend, byte[] bytes, int count, OutputStream to) throws IOException;

    /** The connection has ended by itself. */
    default void outlived() {}
  }

  private static final int PIECE = 16 << 10;
  private static final long LOOK_NS = 5_000_000;

  /** The bytes that a network passes at a time. */
  private static final int PACKET = 1500;

  private final ServerSocket listener;
  private final int port;
  private final int piece;
  private final Supplier<Fate> fates;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicLong passed = new AtomicLong();
  // Guarded by this object's monitor.
  private boolean off;

  /** One to an endpoint whose connections meet a fault after so many bytes, each way. */
  Proxy(String backend, Fault fault, long seed, long whole) throws IOException {
    this(backend, PACKET, fault.after(whole, seed));
  }

  /** One that cuts one connection after the other; once there is no cut left, they last. */
  Proxy(String backend, Collection<Cut> cuts) throws IOException {
    this(backend, PIECE, Cut.each(cuts));
  }

  /** One whose bytes come late by so long, each way, as over a long line. */
  static Proxy late(String backend, Duration delay) throws IOException {
    Fate slow =
        (_, bytes, count, to) -> {
          LockSupport.parkNanos(delay.toNanos());
          to.write(bytes, 0, count);
          return null;
        };
    return new Proxy(backend, PIECE, () -> slow);
  }

  /** One that passes nothing on, and ends nothing, as long as it is cut. */
  static Proxy cutBy(String backend, BooleanSupplier isCut) throws IOException {
    Fate held =
        (_, bytes, count, to) -> {
          while (isCut.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NS);
          }
          to.write(bytes, 0, count);
          return null;
        };
    return new Proxy(backend, PIECE, () -> held);
  }

  private Proxy(String backend, int piece, Supplier<Fate> fates) throws IOException {
    this.port = port(backend);
    this.piece = piece;
    this.fates = fates;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::connect);
  }

  private static int port(String endpoint) {
    return Integer.parseInt(endpoint.replaceAll(".*:", ""));
  }

  String endpoint() {
    return endpoint("tcp");
  }

  /** The same for another scheme, whose bytes are passed on as they are. */
  String endpoint(String scheme) {
    return scheme + "://127.0.0.1:" + listener.getLocalPort();
  }

  /** Connections that their fate has ended. */
  int made() {
    return made.get();
  }

  /** Bytes that have gone over it, either way. */
  long passed() {
    return passed.get();
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
    Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    sockets.addAll(List.of(client, server));
    Passage passage = new Passage(client, server, fates.get());
    start(() -> passage.pass(true));
    start(() -> passage.pass(false));
  }

  /** One connection, both ways. */
  private final class Passage {
    private final Socket client;
    private final Socket server;
    private final Fate fate;
    private final AtomicBoolean over = new AtomicBoolean();

    Passage(Socket client, Socket server, Fate fate) {
      this.client = client;
      this.server = server;
      this.fate = fate;
    }

    void pass(boolean toBackend) {
      byte[] bytes = new byte[piece];
      try {
        InputStream in = (toBackend ? client : server).getInputStream();
        OutputStream out = (toBackend ? server : client).getOutputStream();
        for (int n = in.read(bytes); n > 0; n = in.read(bytes)) {
          How how = fate.pass(toBackend, bytes, n, out);
          passed.addAndGet(n);
          if (how != null) {
            made.incrementAndGet();
            end(how);
            return;
          }
        }
        endByItself(How.END);
      } catch (IOException e) {
        endByItself(How.RESET);
      }
    }

    private void endByItself(How how) {
      if (end(how)) {
        fate.outlived();
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
