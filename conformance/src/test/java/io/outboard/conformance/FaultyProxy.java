// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** Between a client and a backend, over TCP; passes connections on, and does it badly. */
final class FaultyProxy implements AutoCloseable {
  /** Kinds of faults. */
  enum Fault {
    /** All bytes come, in small pieces and late. */
    DELAY,
    /** After some bytes both connections end. */
    CUT,
    /** After some bytes nothing goes on any more, and no connection ends. */
    DROP,
    /** After some bytes a bit of the client's is another one now and then. */
    DAMAGE
  }

  /** The faults of networks, which lose or delay bytes and change none. */
  static final List<Fault> OF_NETWORKS = List.of(Fault.DELAY, Fault.CUT, Fault.DROP);

  private static final int PIECE = 1500;
  private static final int LONGEST_PAUSE_MS = 4;
  private static final int PIECES_A_DAMAGE = 4;

  private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final int backend;
  private final Fault fault;
  private final long seed;
  private final long whole;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /**
   * Waits for the client.
   *
   * @param whole bytes that pass before the fault, each way
   */
  FaultyProxy(int backend, Fault fault, long seed, long whole) throws IOException {
    this.backend = backend;
    this.fault = fault;
    this.seed = seed;
    this.whole = whole;
    start(this::connect);
  }

  String endpoint() {
    return endpoint("tcp");
  }

  /** The same for another scheme, whose bytes are passed on as they are. */
  String endpoint(String scheme) {
    return scheme + "://127.0.0.1:" + listener.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private void connect() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), backend);
        sockets.addAll(List.of(client, server));
        start(() -> pass(client, server, new Random(seed), fault == Fault.DAMAGE));
        start(() -> pass(server, client, new Random(~seed), false));
      }
    } catch (IOException e) {
      close();
    }
  }

  private void pass(Socket from, Socket to, Random random, boolean damages) {
    byte[] piece = new byte[PIECE];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      long passed = 0;
      for (int n = in.read(piece); n > 0; n = in.read(piece)) {
        pause(random);
        if (fault == Fault.CUT && passed + n > whole) {
          out.write(piece, 0, (int) (whole - passed));
          return;
        }
        if (damages && passed + n > whole) {
          damage(piece, n, random);
        }
        if (fault == Fault.DELAY || fault == Fault.DAMAGE || passed + n <= whole) {
          out.write(piece, 0, n);
        }
        passed = fault == Fault.DROP && passed + n > whole ? Long.MAX_VALUE / 2 : passed + n;
      }
    } catch (IOException e) {
      // The other direction has ended both.
      return;
    }
  }

  private static void damage(byte[] piece, int bytes, Random random) {
    if (random.nextInt(PIECES_A_DAMAGE) == 0) {
      piece[random.nextInt(bytes)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
  }

  private void pause(Random random) throws IOException {
    if (fault == Fault.DELAY) {
      try {
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MS));
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
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
