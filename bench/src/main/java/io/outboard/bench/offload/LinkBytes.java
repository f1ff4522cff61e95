// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import io.outboard.bench.measure.Samples;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/**
 * The bytes of a call and one byte back, without Outboard: what the link can do. A program: {@code
 * ENDPOINT BYTES COUNT}.
 */
public final class LinkBytes {
  private static final int WARM_UP = 50;

  private LinkBytes() {}

  /** Answers so many bytes with one, again and again, until its process ends. */
  static String serve(int bytes) throws IOException {
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon(true).start(() -> acceptAll(listener, bytes));
    return "tcp://127.0.0.1:" + listener.getLocalPort();
  }

  private static void acceptAll(ServerSocket listener, int bytes) {
    byte[] room = new byte[bytes];
    while (!listener.isClosed()) {
      try (Socket client = listener.accept()) {
        client.setTcpNoDelay(true);
        answer(client, room);
      } catch (IOException e) {
        // The client has ended, as each does.
      }
    }
  }

  private static void answer(Socket client, byte[] room) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    for (; ; ) {
      in.readFully(room);
      client.getOutputStream().write(1);
    }
  }

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    URI server = URI.create(arguments[0]);
    int count = Integer.parseInt(arguments[2]);
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setTcpNoDelay(true);
      byte[] bytes = new byte[Integer.parseInt(arguments[1])];
      for (int i = 0; i < WARM_UP; i++) {
        pass(socket, bytes);
      }
      Samples samples = new Samples("link", count);
      samples.begin();
      for (int i = 0; i < count; i++) {
        long start = System.nanoTime();
        pass(socket, bytes);
        samples.add(System.nanoTime() - start);
      }
      samples.end();
    }
  }

  private static void pass(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    if (socket.getInputStream().read() < 0) {
      throw new IOException("the server has gone");
    }
  }
}
