// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.api.audit.AuditLog;
import io.outboard.api.audit.Refusals;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of callers, and the lines that the audit log gets. */
final class AccessTest {
  private static final String HOUR = "{\"seconds\": 3600}";

  @TempDir private Path folder;
  private TestServer server;
  private String operator;
  private String alice;
  private String bob;
  private String reader;

  @BeforeEach
  void open() throws Exception {
    server = new TestServer(folder);
    operator = server.token(Role.OPERATOR, "");
    alice = server.token(Role.USER, "alice");
    bob = server.token(Role.USER, "bob");
    reader = server.token(Role.READER, "alice");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String leaseOf(String token) throws Exception {
    TestServer.Answer made = server.post("/v1/leases", token, HOUR);
    assertEquals(201, made.status(), made::body);
    return made.json().get("id").asText();
  }

  private String overOf(String token) throws Exception {
    String id = leaseOf(token);
    assertEquals(200, server.post("/v1/leases/" + id + "/release", token, "{}").status());
    return id;
  }

  /** However many of others have ended since; each page names the next one. */
  @Test
  void aTenantsPastIsItsOwnAndHasPages() throws Exception {
    String first = overOf(alice);
    String second = overOf(alice);
    for (int i = 0; i < 3; i++) {
      overOf(bob);
    }
    List<String> found = new ArrayList<>();
    String cursor = "";
    do {
      String path = "/v1/leases?all=true&limit=1" + (cursor.isEmpty() ? "" : "&cursor=" + cursor);
      JsonNode page = server.get(path, alice).json();
      page.get("leases").forEach(lease -> found.add(lease.get("id").asText()));
      cursor = page.get("next").isNull() ? "" : page.get("next").asText();
    } while (!cursor.isEmpty());
    assertEquals(Set.of(first, second), Set.copyOf(found));
    assertEquals(2, found.size());
    assertEquals(5, server.get("/v1/leases?all=true", operator).json().get("leases").size());
    assertEquals(400, server.get("/v1/leases?all=true&cursor=what", alice).status());
    assertEquals(400, server.get("/v1/leases?all=true&limit=0", alice).status());
  }

  @Test
  void aUserHasTheLeasesOfItsTenant() throws Exception {
    TestServer.Answer made = server.post("/v1/leases", alice, HOUR);
    JsonNode lease = made.json();
    assertEquals(201, made.status(), made::body);
    assertEquals("alice", lease.get("tenant").asText());
    assertEquals("granted", lease.get("state").asText());
    assertTrue(lease.get("token").asText().matches("[0-9a-f]{64}"));
    assertEquals("tcp://node:14900", lease.get("endpoints").get(0).asText());
    String path = "/v1/leases/" + lease.get("id").asText();
    assertEquals(lease.get("token"), server.get(path, alice).json().get("token"));
    assertEquals(200, server.post(path + "/renew", alice, HOUR).status());
    assertEquals(
        "released", server.post(path + "/release", alice, "{}").json().get("state").asText());
    assertEquals(409, server.post(path + "/release", alice, "{}").status());
    assertEquals(1, server.get("/v1/usage", alice).json().get("rows").size());
    assertEquals(0, server.get("/v1/usage", bob).json().get("rows").size());
  }

  @Test
  void aLeaseGetsAnotherShareAndAnotherEnd() throws Exception {
    String path = "/v1/leases/" + leaseOf(alice);
    JsonNode before = server.get(path, alice).json();
    JsonNode smaller = server.post(path + "/renew", alice, "{\"share\": 0.25}").json();
    assertEquals(0.25, smaller.get("share").asDouble());
    assertEquals(before.get("expires"), smaller.get("expires"));
    JsonNode both =
        server.post(path + "/renew", alice, "{\"share\": 0.5, \"seconds\": 86400}").json();
    assertEquals(0.5, both.get("share").asDouble());
    assertNotEquals(before.get("expires"), both.get("expires"));
    assertEquals(400, server.post(path + "/renew", alice, "{}").status());
    assertEquals(400, server.post(path + "/renew", alice, "{\"share\": 2}").status());
  }

  @Test
  void aTenantDoesNotSeeAnothers() throws Exception {
    String path = "/v1/leases/" + leaseOf(alice);
    for (String verb : List.of("", "/renew", "/release", "/drain")) {
      TestServer.Answer answer =
          verb.isEmpty()
              ? server.get(path, bob)
              : server.post(path + verb, bob, verb.equals("/renew") ? HOUR : "{}");
      assertEquals(404, answer.status(), () -> verb + answer);
      assertEquals(
          server.get("/v1/leases/none", bob).json().get("detail"), answer.json().get("detail"));
    }
    assertEquals(0, server.get("/v1/leases?all=true", bob).json().get("leases").size());
    assertEquals(1, server.get("/v1/leases", alice).json().get("leases").size());
    assertEquals(1, server.get("/v1/leases", operator).json().get("leases").size());
    assertEquals(
        403, server.post("/v1/leases", bob, "{\"seconds\": 1, \"tenant\": \"alice\"}").status());
    assertEquals("granted", server.get(path, alice).json().get("state").asText());
  }

  @Test
  void aReaderChangesNothingAndHasNoToken() throws Exception {
    String path = "/v1/leases/" + leaseOf(alice);
    assertEquals(200, server.get(path, reader).status());
    assertFalse(server.get(path, reader).json().has("token"));
    assertEquals(403, server.post(path + "/release", reader, "{}").status());
    assertEquals(403, server.post("/v1/leases", reader, HOUR).status());
  }

  @Test
  void whatIsForOperatorsIsForNobodyElse() throws Exception {
    String lease = "/v1/leases/" + leaseOf(alice);
    assertEquals(403, server.post(lease + "/revoke", alice, "{}").status());
    assertEquals(403, server.get("/v1/tokens", alice).status());
    assertEquals(
        403, server.post("/v1/tokens", alice, "{\"role\": \"operator\", \"seconds\": 9}").status());
    assertEquals(403, server.ask("PUT", "/v1/tenants/alice", alice, "{\"budget\": 9}").status());
    assertEquals(
        403, server.post("/v1/leases", alice, "{\"seconds\": 1, \"priority\": 1}").status());
    assertEquals(
        "revoked",
        server
            .post(lease + "/revoke", operator, "{\"reason\": \"why\"}")
            .json()
            .get("state")
            .asText());
  }

  @Test
  void tokensAreMadeListedAndTakenBack() throws Exception {
    JsonNode made =
        server
            .post(
                "/v1/tokens",
                operator,
                "{\"role\": \"user\", \"tenant\": \"carol\", \"seconds\": 60, \"note\": \"n\"}")
            .json();
    String secret = made.get("secret").asText();
    assertEquals(200, server.get("/v1/leases", secret).status());
    String list = server.get("/v1/tokens", operator).body();
    assertTrue(list.contains(made.get("id").asText()));
    assertFalse(list.contains(secret));
    assertFalse(
        new String(
                Files.readAllBytes(folder.resolve("leases.db-wal")),
                java.nio.charset.StandardCharsets.ISO_8859_1)
            .contains(secret.substring("outboard_".length())));
    String id = made.get("id").asText();
    assertEquals(200, server.post("/v1/tokens/" + id + "/revoke", operator, "").status());
    assertEquals(401, server.get("/v1/leases", secret).status());
    assertEquals(404, server.post("/v1/tokens/none/revoke", operator, "").status());
    assertEquals(
        422, server.post("/v1/tokens", operator, "{\"role\": \"user\", \"seconds\": 60}").status());
  }

  @Test
  void aTokenEnds() throws Exception {
    String secret =
        server
            .pool()
            .accounts()
            .issue(new Standing(Role.USER, "a"), "", Duration.ofMillis(1))
            .secret();
    Patience.until("its end", () -> server.get("/v1/leases", secret).status() != 200);
    TestServer.Answer answer = server.get("/v1/leases", secret);
    assertEquals(401, answer.status());
    assertEquals("application/problem+json", answer.type());
  }

  @Test
  void aBudgetThatIsSpentIsSaid() throws Exception {
    assertEquals(
        200, server.ask("PUT", "/v1/tenants/alice", operator, "{\"budget\": 3600}").status());
    leaseOf(alice);
    TestServer.Answer refused = server.post("/v1/leases", alice, "{\"seconds\": 60}");
    assertEquals(422, refused.status());
    assertTrue(refused.json().get("detail").asText().contains("budget"), refused::body);
    JsonNode tenants = server.get("/v1/tenants", operator).json().get("tenants");
    assertEquals(3600, tenants.get(0).get("budget").asLong());
  }

  @Test
  void whatChangesAndWhoIsTurnedAwayIsWrittenDown() throws Exception {
    String id = leaseOf(alice);
    server.get("/v1/leases", alice);
    server.post("/v1/leases/" + id + "/revoke", bob, "{}");
    server.get("/v1/tokens", "wrong");
    server.post("/v1/tokens", operator, "{\"role\": \"reader\", \"seconds\": 60}");
    List<String> changes = server.audit(AuditLog.USERS);
    List<String> refusals = server.audit(AuditLog.REFUSED);
    assertEquals(1, changes.size(), changes::toString);
    JsonNode first = new ObjectMapper().readTree(changes.getFirst());
    assertEquals("createLease", first.get("operation").asText());
    assertEquals("alice", first.get("tenant").asText());
    assertEquals(201, first.get("status").asInt());
    assertEquals("127.0.0.1", first.get("address").asText());
    assertEquals(2, refusals.size(), refusals::toString);
    assertTrue(refusals.getFirst().contains("403"), refusals.getFirst());
    assertTrue(refusals.get(1).contains("401"), refusals.get(1));
    assertFalse((changes + "" + refusals).contains(alice));
    assertTrue(server.audit(AuditLog.OPERATORS).getFirst().contains("createToken"));
    for (String book : List.of(AuditLog.OPERATORS, AuditLog.USERS, AuditLog.REFUSED)) {
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(book))));
    }
  }

  @Test
  void oneAddressThatIsTurnedAwayOftenAddsFewLines() throws Exception {
    for (int i = 0; i < 100; i++) {
      server.get("/v1/leases?all=" + i, "wrong" + i);
    }
    assertEquals(Refusals.LINES, server.audit(AuditLog.REFUSED).size());
  }

  @Test
  void aFullDiskStopsNothingAndIsSaid(@TempDir Path other) throws Exception {
    Files.createSymbolicLink(other.resolve(AuditLog.USERS), Path.of("/dev/full"));
    try (TestServer full = new TestServer(other)) {
      String reader = full.token(Role.READER, "");
      String token = full.token(Role.USER, "alice");
      assertEquals("ok", full.get("/readyz", "").json().get("audit").asText());
      assertEquals(201, full.post("/v1/leases", token, HOUR).status());
      assertEquals(201, full.post("/v1/leases", token, HOUR).status());
      TestServer.Answer ready = full.get("/readyz", "");
      assertEquals(200, ready.status());
      assertTrue(ready.json().get("audit").asText().contains("2 lines are lost"), ready::body);
      String figures = full.get("/metrics", reader).body();
      assertTrue(figures.contains("outboard_audit_writable 0\n"), figures);
      assertTrue(figures.contains("outboard_audit_lost_lines_total 2\n"), figures);
      Files.delete(other.resolve(AuditLog.USERS));
      assertEquals("ok", full.get("/readyz", "").json().get("audit").asText());
    }
  }

  @Test
  void whoAsksTooOftenWaits(@TempDir Path other) throws Exception {
    try (TestServer slow = new TestServer(other, 1)) {
      Patience.until("it is too often", () -> slow.get("/healthz", "").status() == 429);
      Patience.until("they have waited", () -> slow.get("/healthz", "").status() == 200);
    }
  }
}
