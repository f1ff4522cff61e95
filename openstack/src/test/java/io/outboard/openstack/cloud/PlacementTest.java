// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestClient;
import io.outboard.office.rest.RestException;
import io.outboard.openstack.cloud.Placement.Inventory;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of a provider that others change too: a small Placement refuses old generations. */
final class PlacementTest {
  private static final String PROVIDER = "/placement/resource_providers/P/inventories";

  private HttpServer server;
  private Placement placement;
  private Object inventories = Map.of();
  private long generation;
  private int interferences;
  private int puts;
  private int signIns;
  private String good = "";

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
    URI identity = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    RestClient rest = new RestClient(new TlsCaller(List.of(), Optional.empty()), Patience.LIMIT);
    Credentials account = new Credentials(identity, "u", "d", "p", "s", "d", "R");
    placement = new Placement(new Keystone(account, rest, InstantSource.system()));
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  private synchronized void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/v3/auth/tokens")) {
        signIns++;
        good = "token-" + signIns;
        exchange.getResponseHeaders().set("X-Subject-Token", good);
        answer(exchange, 201, signedIn());
      } else if (!good.equals(exchange.getRequestHeaders().getFirst("X-Auth-Token"))) {
        answer(exchange, 401, Map.of());
      } else {
        assertEquals(PROVIDER, path);
        inventories(exchange, Fields.read(body));
      }
    }
  }

  private Object signedIn() {
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/placement";
    return Map.of(
        "token",
        Ordered.of(
            "expires_at", Instant.now().plusSeconds(3600).toString(),
            "user", Map.of("id", "u"),
            "project", Map.of("id", "s"),
            "catalog",
                List.of(
                    Ordered.of(
                        "type",
                        "placement",
                        "endpoints",
                        List.of(Map.of("interface", "public", "region_id", "R", "url", url))))));
  }

  /** Somebody else changes the provider between a look and a change, for some times. */
  private void inventories(HttpExchange exchange, Fields wanted) throws IOException {
    if (exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 200, inventory());
      if (interferences > 0) {
        interferences--;
        generation++;
      }
      return;
    }
    puts++;
    if (wanted.count("resource_provider_generation") != generation) {
      answer(exchange, 409, Map.of("errors", List.of()));
      return;
    }
    generation++;
    inventories = wanted.values().get("inventories");
    answer(exchange, 200, inventory());
  }

  private Object inventory() {
    return Ordered.of("resource_provider_generation", generation, "inventories", inventories);
  }

  private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.write(body).getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private boolean set(long total, long reserved) throws IOException {
    return placement.setInventory("P", "CUSTOM_REMOTE_GPU", new Inventory(total, reserved));
  }

  @Test
  void whatIsSoAlreadyIsNotChanged() throws IOException {
    assertTrue(set(8, 2));
    assertFalse(set(8, 2));
    assertEquals(1, puts);
    assertTrue(set(8, 3));
    assertEquals(2, puts);
  }

  @Test
  void moreCanBeAllocatedThanThereIs() throws IOException {
    BigDecimal twice = new BigDecimal("2.0");
    assertTrue(placement.setInventory("P", "CUSTOM_REMOTE_GPU", new Inventory(8, 0, 8, twice)));
    assertFalse(
        placement.setInventory("P", "CUSTOM_REMOTE_GPU", new Inventory(8, 0, 8, BigDecimal.TWO)));
    assertTrue(set(8, 0));
  }

  @Test
  void aStormOfOthersChangesIsOvercome() throws IOException {
    interferences = 15;
    assertTrue(set(8, 0));
    assertEquals(16, puts);
  }

  @Test
  void aStormWithoutEndIsAnError() {
    interferences = Integer.MAX_VALUE;
    RestException refused = assertThrows(RestException.class, () -> set(8, 0));
    assertEquals(409, refused.status());
    assertTrue(puts < 100, "it gives up: " + puts);
  }

  @Test
  void aTokenThatIsTakenBackIsReplacedOnce() throws IOException {
    assertTrue(set(8, 0));
    good = "another";
    assertTrue(set(9, 0));
    assertEquals(2, signIns);
  }
}
