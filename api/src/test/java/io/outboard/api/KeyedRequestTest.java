// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.outboard.lease.account.Role;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that bring a key are done once, whoever asks again. */
final class KeyedRequestTest {
  private static final String HOUR = "{\"seconds\": 3600}";

  @TempDir private Path folder;
  private TestServer server;
  private String alice;
  private String bob;

  @BeforeEach
  void open() throws Exception {
    server = new TestServer(folder);
    alice = server.token(Role.USER, "alice");
    bob = server.token(Role.USER, "bob");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private TestServer.Answer lease(String token, String key, String body) throws Exception {
    return server.keyed("/v1/leases", token, body, key);
  }

  private int leases(String token) throws Exception {
    return server.get("/v1/leases", token).json().get("leases").size();
  }

  @Test
  void theSameRequestIsDoneOnceAndHasTheSameAnswer() throws Exception {
    TestServer.Answer first = lease(alice, "\"one\"", HOUR);
    assertEquals(201, first.status(), first::body);
    assertEquals(first, lease(alice, "\"one\"", HOUR));
    assertEquals(first, lease(alice, "one", HOUR));
    assertEquals(1, leases(alice));
    assertEquals(1, server.audit("audit-users.jsonl").size());
  }

  @Test
  void anotherRequestWithAKeyIsRefused() throws Exception {
    lease(alice, "one", HOUR);
    TestServer.Answer other = lease(alice, "one", "{\"seconds\": 7200}");
    assertEquals(422, other.status(), other::body);
    assertEquals("application/problem+json", other.type());
    assertEquals(422, server.keyed("/v1/leases/explain", alice, HOUR, "one").status());
    assertEquals(1, leases(alice));
  }

  @Test
  void aKeyIsItsCallersAlone() throws Exception {
    String id = lease(alice, "one", HOUR).json().get("id").asText();
    assertNotEquals(id, lease(bob, "one", HOUR).json().get("id").asText());
    assertNotEquals(id, lease(alice, "two", HOUR).json().get("id").asText());
    assertEquals(2, leases(alice));
  }

  @Test
  void aRefusalIsTheSameToo() throws Exception {
    String path = "/v1/leases/" + lease(alice, "one", HOUR).json().get("id").asText();
    TestServer.Answer renewed = server.keyed(path + "/renew", alice, HOUR, "two");
    assertEquals(200, renewed.status());
    assertEquals(200, server.keyed(path + "/release", alice, "{}", "three").status());
    assertEquals(409, server.keyed(path + "/release", alice, "{}", "four").status());
    assertEquals(200, server.keyed(path + "/release", alice, "{}", "three").status());
    assertEquals(renewed, server.keyed(path + "/renew", alice, HOUR, "two"));
  }

  @Test
  void aKeyThatIsNoneIsAMistake() throws Exception {
    for (String key : new String[] {"\"", "a b", "x".repeat(129)}) {
      assertEquals(400, lease(alice, key, HOUR).status(), key);
    }
    assertEquals(0, leases(alice));
  }
}
