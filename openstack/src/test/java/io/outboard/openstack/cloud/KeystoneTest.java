// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.office.rest.RestClient;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens of others, as a small Keystone knows them. */
final class KeystoneTest {
  private static final String PROJECT = "0123456789abcdef0123456789abcdef";
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final Map<String, Object> tokens = new HashMap<>();
  private HttpServer server;
  private Keystone keystone;
  private Instant now = BEGIN;
  private int asked;

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v3/auth/tokens", this::serve);
    server.start();
    URI identity = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    RestClient rest = new RestClient(new TlsCaller(List.of(), Optional.empty()), Patience.LIMIT);
    Credentials account = new Credentials(identity, "u", "d", "p", "s", "d", "R");
    keystone = new Keystone(account, rest, () -> now);
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  /** The account's own token is never over; of others there are those of the test. */
  private synchronized void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestMethod().equals("POST")) {
        exchange.getResponseHeaders().set("X-Subject-Token", "own");
        answer(exchange, 201, token(PROJECT, "2100-01-01T00:00:00Z"));
        return;
      }
      asked++;
      Object known = tokens.get(exchange.getRequestHeaders().getFirst("X-Subject-Token"));
      answer(exchange, known == null ? 404 : 200, known == null ? Map.of() : known);
    }
  }

  private static Object token(String project, String expires) {
    return Map.of(
        "token",
        Ordered.of(
            "expires_at",
            expires,
            "user",
            Ordered.of("id", "a1", "name", "alice"),
            "roles",
            List.of(Map.of("name", "member")),
            "project",
            project.isEmpty() ? Map.of() : Ordered.of("id", project, "name", "demo")));
  }

  private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.write(body).getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void assertRefused(String secret) throws IOException {
    assertEquals(Optional.empty(), keystone.check(secret), secret);
  }

  @Test
  void aTokenIsGoodUntilItEndsAndNoLonger() throws IOException {
    Duration life = Keystone.REMEMBERED.dividedBy(2);
    tokens.put("short", token(PROJECT, BEGIN.plus(life).toString()));
    assertEquals(PROJECT, keystone.check("short").orElseThrow().project());
    assertEquals(PROJECT, keystone.check("short").orElseThrow().project());
    assertEquals(1, asked, "it is remembered");
    now = BEGIN.plus(life);
    // A machine with another clock than this one may still call it good.
    assertRefused("short");
  }

  @Test
  void aTokenThatIsTakenBackIsForgotten() throws IOException {
    tokens.put("mine", token(PROJECT, "2100-01-01T00:00:00Z"));
    assertEquals("alice", keystone.check("mine").orElseThrow().userName());
    tokens.clear();
    now = BEGIN.plus(Keystone.REMEMBERED);
    assertRefused("mine");
    now = BEGIN;
    assertRefused("mine");
  }

  @Test
  void aTokenOfNoProjectOrOfAnotherCloudIsNone() throws IOException {
    tokens.put("unscoped", token("", "2100-01-01T00:00:00Z"));
    tokens.put("endless", token(PROJECT, "never"));
    assertRefused("unscoped");
    assertRefused("endless");
    assertRefused("foreign");
    int before = asked;
    assertRefused("");
    assertRefused("two\r\nX-Auth-Token: lines");
    assertEquals(before, asked, "what could be no header is not sent");
  }

  @Test
  void nobodyIsKnownWhereKeystoneIsAway() {
    server.stop(0);
    assertThrows(IOException.class, () -> keystone.check("mine"));
  }
}
