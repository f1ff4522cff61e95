// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That bytes arrive, none before it is due; how much later is the machine's business. */
class ShapedLinkTest {
  private final ServerSocket echo = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());

  ShapedLinkTest() throws IOException {
    Thread.ofPlatform().daemon().start(this::echoOne);
  }

  private void echoOne() {
    try (Socket socket = echo.accept()) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private ShapedLink link(double roundTrip, double megabits) throws IOException {
    return new ShapedLink("tcp://127.0.0.1:" + echo.getLocalPort(), roundTrip, megabits);
  }

  private static Socket connect(ShapedLink link) throws IOException {
    URI endpoint = URI.create(link.endpoint());
    return new Socket(endpoint.getHost(), endpoint.getPort());
  }

  @Test
  void aRoundTripTakesSoLong() throws IOException {
    try (ShapedLink link = link(20, 0);
        Socket socket = connect(link)) {
      long start = System.nanoTime();
      for (int i = 0; i < 5; i++) {
        socket.getOutputStream().write(i);
        assertEquals(i, socket.getInputStream().read());
      }
      assertTrue(System.nanoTime() - start >= 5 * 20_000_000L);
    }
  }

  @Test
  void manyBytesTakeAsLongAsTheRateSays() throws Exception {
    byte[] sent = new byte[1_000_000];
    new Random(1).nextBytes(sent);
    try (ShapedLink link = link(0, 80);
        Socket socket = connect(link)) {
      long start = System.nanoTime();
      Thread writer = Thread.ofPlatform().start(() -> write(socket, sent));
      byte[] received = new byte[sent.length];
      new DataInputStream(socket.getInputStream()).readFully(received);
      long took = System.nanoTime() - start;
      writer.join();
      assertArrayEquals(sent, received);
      // 80 megabits a second are ten bytes a microsecond.
      assertTrue(took >= 100_000_000L, () -> took + " ns");
    }
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theEndPasses() throws IOException {
    try (ShapedLink link = link(1, 0);
        Socket socket = connect(link)) {
      socket.getOutputStream().write(7);
      socket.shutdownOutput();
      assertEquals(7, socket.getInputStream().read());
      assertEquals(-1, socket.getInputStream().read());
    }
  }
}
