// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.api.http.Door;
import io.outboard.lease.account.Role;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections than the server has room for, on which little or nothing comes. */
final class FloodTest {
  private static final int MANY = 600;
  private static final String HALF =
      "POST /v1/leases HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

  @TempDir private Path folder;
  private TestServer server;
  private String user;
  private final List<Socket> flood = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    server = new TestServer(folder);
    user = server.token(Role.USER, "a");
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : flood) {
      socket.close();
    }
    server.close();
  }

  /** Connects from an address of this machine, and sends a text. */
  private void connect(String from, String text) throws IOException {
    Socket socket = new Socket();
    flood.add(socket);
    socket.setReceiveBufferSize(1);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.uri().getPort()));
    try {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    } catch (SocketException e) {
      // It has been dropped.
    }
  }

  private void connectMany(String text) throws IOException {
    for (int i = 0; i < MANY; i++) {
      connect("127.0.0.1", text);
    }
  }

  private void assertServed() throws Exception {
    assertEquals(200, server.get("/healthz", "").status());
    assertEquals(200, server.get("/readyz", "").status());
    assertEquals(
        201, server.post("/v1/leases", user, "{\"seconds\": 60, \"share\": 0.1}").status());
  }

  /** How many of the flood's connections the server has kept. */
  private long kept() throws IOException {
    long kept = 0;
    for (Socket socket : flood) {
      kept += isOpen(socket) ? 1 : 0;
    }
    return kept;
  }

  /**
   * A dropped connection ends when its reading thread has woken, so the last ones may still be
   * open.
   */
  private void assertKeepsFewerThan(long most) throws Exception {
    Patience.until("fewer than " + most, () -> kept() < most);
  }

  private static boolean isOpen(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  @Test
  void idleConnectionsOfOneAddressHoldUpNobody() throws Exception {
    connectMany("");
    assertServed();
    assertKeepsFewerThan(Door.MOST_OF_ADDRESS);
  }

  @Test
  void requestsThatComeHalfHoldUpNobody() throws Exception {
    connectMany(HALF);
    assertServed();
    assertKeepsFewerThan(Door.MOST_OF_ADDRESS);
  }

  @Test
  void bodiesThatDoNotComeHoldUpNobody() throws Exception {
    connectMany(HALF + "Authorization: Bearer " + user + "\r\nContent-Length: 1000\r\n\r\n{");
    assertServed();
  }

  @Test
  void answersThatNobodyReadsHoldUpNobody() throws Exception {
    String document = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    for (int i = 0; i < 2 * Door.MOST_OF_ADDRESS; i++) {
      connect("127.0.0.1", document.repeat(10));
    }
    assertServed();
  }

  @Test
  void manyAddressesTogetherHoldUpNobody() throws Exception {
    for (int i = 0; i < 2 * MANY; i++) {
      connect("127.0.1." + (1 + i % 20), i % 2 == 0 ? "" : HALF);
    }
    assertServed();
    assertKeepsFewerThan(Door.MOST);
  }
}
