// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.communicator.certificate.TlsCaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that means harm, or is none, gets an error out of a node, in time. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
final class LyingBrokerTest {
  private static final Duration SOON = Duration.ofMillis(300);
  private static final String HEAD =
      "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n";

  private ServerSocket listener;

  @BeforeEach
  void open() throws IOException {
    listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  /** The text that a broker writes to each node that asks. */
  @FunctionalInterface
  private interface Lie {
    void tell(OutputStream out) throws IOException;
  }

  private BrokerClient client(Duration answer, Lie lie) throws IOException {
    Thread unused =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!listener.isClosed()) {
                    answer(lie);
                  }
                });
    URI uri = URI.create("http://127.0.0.1:" + listener.getLocalPort());
    return new BrokerClient(List.of(uri), "n1", new TlsCaller(List.of(), Optional.empty()), answer);
  }

  private void answer(Lie lie) {
    try (Socket socket = listener.accept()) {
      InputStream in = socket.getInputStream();
      int unused = in.read();
      lie.tell(socket.getOutputStream());
      // Until the node hangs up.
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // It has.
    }
  }

  private static Lie json(int status, String body) {
    String head = HEAD.formatted(status, body.getBytes(ISO_8859_1).length);
    return out -> out.write((head + body).getBytes(ISO_8859_1));
  }

  /** The head of an answer ends a request's own time limit. */
  @Test
  void anAnswerThatStopsIsAnError() throws IOException {
    String half = HEAD.formatted(200, 100) + "{";
    BrokerClient broker = client(SOON, out -> out.write(half.getBytes(ISO_8859_1)));
    assertThrows(IOException.class, () -> broker.join("invitation"));
  }

  @Test
  void anAnswerWithoutEndIsAnError() throws IOException {
    BrokerClient broker =
        client(
            Duration.ofMinutes(5),
            out -> {
              out.write(HEAD.formatted(200, Long.MAX_VALUE).getBytes(ISO_8859_1));
              while (true) {
                out.write(new byte[1 << 16]);
              }
            });
    assertThrows(IOException.class, () -> broker.join("invitation"));
  }

  @ParameterizedTest
  @CsvSource({"200, '{}'", "200, '{\"secret\": 1}'", "200, '{\"secret\": \"x\"}'", "200, '[]'"})
  void whatIsNoSecretIsAnError(int status, String body) throws IOException {
    BrokerClient broker = client(Duration.ofMinutes(5), json(status, body));
    assertThrows(IOException.class, () -> broker.join("invitation"));
  }

  @Test
  void aReasonIsALine() throws IOException {
    String body = "{\"detail\": \"" + "\\n\\u001b[2J".repeat(1_000) + "\"}";
    BrokerClient broker = client(Duration.ofMinutes(5), json(401, body));
    Exception refused = assertThrows(IOException.class, () -> broker.join("invitation"));
    assertTrue(refused.getMessage().length() < 1_000, refused::getMessage);
    assertTrue(refused.getMessage().chars().noneMatch(Character::isISOControl));
  }

  private static Map<String, Object> order() {
    return new LinkedHashMap<>(
        Ordered.of(
            "action",
            "hold",
            "id",
            "0badcafe0000",
            "epoch",
            1,
            "state",
            "granted",
            "reason",
            "",
            "uuids",
            List.of("GPU-0"),
            "tenant",
            "t",
            "consumer",
            "",
            "share",
            1_000,
            "memory",
            0,
            "priority",
            0,
            "seconds",
            60,
            "grace",
            null,
            "idleSuspend",
            0,
            "idleRevoke",
            0,
            "requested",
            0,
            "granted",
            0,
            "expires",
            0,
            "consumerType",
            "",
            "consumerId",
            "",
            "user",
            "",
            "fqan",
            "",
            "site",
            ""));
  }

  private static String orders(Map<String, Object> order) {
    return Json.write(Ordered.of("term", 1, "version", 1, "orders", List.of(order)));
  }

  @Test
  void ordersAreRead() throws IOException {
    BrokerClient broker = client(Duration.ofMinutes(5), json(200, orders(order())));
    assertEquals(1, broker.orders("secret", 0, 0).orders().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nuser 0", "../a", "a b"})
  void leasesHaveNamesForFiles(String id) throws IOException {
    Map<String, Object> order = order();
    order.put("id", id);
    BrokerClient broker = client(Duration.ofMinutes(5), json(200, orders(order)));
    assertThrows(IOException.class, () -> broker.orders("secret", 0, 0));
  }

  /** Otherwise a thread of the node would end. */
  @ParameterizedTest
  @CsvSource({
    "share, 9223372036854775807",
    "share, 0",
    "priority, 0.5",
    "priority, 9223372036854775807",
    "seconds, 9223372036854775807",
    "memory, 9223372036854775807",
    "grace, 9223372036854775807",
    "idleSuspend, 9223372036854775807",
    "expires, 9223372036854775807",
    "granted, -9223372036854775808",
    "epoch, -1",
  })
  void ordersBeyondTheirRangeAreAnError(String name, BigDecimal value) throws IOException {
    Map<String, Object> order = order();
    order.put(name, value);
    BrokerClient broker = client(Duration.ofMinutes(5), json(200, orders(order)));
    assertThrows(IOException.class, () -> broker.orders("secret", 0, 0));
  }
}
