// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.json.Json;
import io.outboard.api.monitoring.Node;
import io.outboard.identity.oidc.TestVerifier;
import io.outboard.lease.Gpu;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People with tokens of a provider at the real HTTP interface. */
final class SignedInTest {
  private static final String FQAN = "/vo.example.org/gpu/Role=user";
  private static final String LEASES = "/v1/leases";

  @TempDir private Path folder;
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private TestProvider provider;
  private Pool pool;
  private ProviderIdentities people;
  private ApiServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  private record Told(int status, String text) {
    Map<?, ?> object() {
      return (Map<?, ?>) Json.read(text);
    }
  }

  @BeforeEach
  void open() throws IOException {
    provider = new TestProvider();
    start(TestVerifier.LONG_LIVED);
  }

  private void start(TestVerifier.Times times) throws IOException {
    pool = new Pool(SqliteLocation.in(folder), false);
    pool.open(List.of(new Gpu(0, "GPU-0", "NVIDIA H200", 141L << 30)));
    IdentityFile file = IdentityFile.parse(provider.file());
    people =
        new ProviderIdentities(
            file.rules(),
            TestVerifier.of(file.providers().getFirst(), InstantSource.system(), times));
    server =
        ApiServer.at(ApiAddress.parse("http://127.0.0.1:0"))
            .identities(people)
            .start(pool, new Node("node", "1", List.of("unix:/s"), Instant.now()), folder);
  }

  private void stop() {
    server.close();
    pool.close();
    people.close();
  }

  @AfterEach
  void close() {
    stop();
    client.close();
    provider.close();
  }

  private Told ask(String method, String path, String token, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .timeout(Patience.LIMIT)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    return new Told(answer.statusCode(), answer.body());
  }

  private String token() {
    return provider.token(provider.claims(now).build());
  }

  private String of(String subject, String group) {
    return provider.token(
        provider.claims(now).subject(subject).claim("entitlements", List.of(group)).build());
  }

  @Test
  void aLeaseIsTheTenantsOfTheGroupAndItsRowsHaveVoAndFqan() throws Exception {
    Told made = ask("POST", LEASES, token(), "{\"seconds\": 60, \"site\": \"HERE\"}");
    assertEquals(201, made.status(), made.text());
    assertEquals("vo.example.org", made.object().get("tenant"));
    assertEquals(FQAN, made.object().get("fqan"));
    assertEquals("vo.example.org", made.object().get("vo"));
    assertEquals("ada@people.example", made.object().get("user"));
    String id = (String) made.object().get("id");
    assertEquals(200, ask("POST", LEASES + "/" + id + "/release", token(), "{}").status());
    String operator =
        pool.accounts().issue(new Standing(Role.OPERATOR, ""), "", Duration.ofHours(1)).secret();
    Told rows = ask("GET", "/v1/usage", operator, "");
    assertTrue(rows.text().contains("\"fqan\": \"" + FQAN + "\""), rows.text());
    assertTrue(rows.text().contains("\"vo\": \"vo.example.org\""), rows.text());
  }

  @Test
  void nobodyClaimsAnotherNameOrFqan() throws Exception {
    for (String field :
        List.of(
            "\"fqan\": \"/atlas/Role=production\"",
            "\"fqan\": \"" + FQAN + "/Capability=x\"",
            "\"user\": \"/CN=Somebody Else\"",
            "\"tenant\": \"atlas\"")) {
      Told refused = ask("POST", LEASES, token(), "{\"seconds\": 60, " + field + "}");
      assertEquals(403, refused.status(), refused.text());
    }
    Told same = ask("POST", LEASES, token(), "{\"seconds\": 60, \"fqan\": \"" + FQAN + "\"}");
    assertEquals(201, same.status(), same.text());
    String plain =
        pool.accounts().issue(new Standing(Role.USER, "t"), "", Duration.ofHours(1)).secret();
    Told free = ask("POST", LEASES, plain, "{\"seconds\": 60, \"fqan\": \"/atlas\"}");
    assertEquals(403, free.status(), free.text());
  }

  @Test
  void tenantsDoNotSeeEachOther() throws Exception {
    String id = (String) ask("POST", LEASES, token(), "{\"seconds\": 60}").object().get("id");
    String other = of("eve", TestProvider.GROUP.replace("vo.example.org", "other.example.org"));
    assertEquals(404, ask("GET", LEASES + "/" + id, other, "").status());
    assertEquals(404, ask("POST", LEASES + "/" + id + "/release", other, "{}").status());
    assertEquals(403, ask("GET", "/v1/tokens", other, "").status(), "nobody is an operator");
  }

  @Test
  void whoAsksIsTold() throws Exception {
    Map<?, ?> told = ask("GET", "/v1/identity", token(), "").object();
    assertEquals("people:ada@people.example", told.get("id"));
    assertEquals("user", told.get("role"));
    assertEquals(FQAN, told.get("fqan"));
    assertEquals(now.plusSeconds(300), Instant.parse((String) told.get("until")));
    assertEquals(401, ask("GET", "/v1/identity", of("ada", "urn:other"), "").status());
  }

  /** Also after the office has begun anew, and with the login's next token it is let in again. */
  @Test
  void whoHasSignedOutIsRefusedWithThatToken() throws Exception {
    String token = token();
    assertEquals(200, ask("POST", "/v1/identity/logout", token, "").status());
    assertEquals(401, ask("GET", "/v1/identity", token, "").status());
    assertEquals(401, ask("POST", "/v1/identity/logout", token, "").status());
    stop();
    start(TestVerifier.LONG_LIVED);
    assertEquals(401, ask("GET", "/v1/identity", token, "").status());
    String next = provider.token(provider.claims(now).jwtID("next").build());
    assertEquals(200, ask("GET", "/v1/identity", next, "").status());
    String own =
        pool.accounts().issue(new Standing(Role.READER, ""), "", Duration.ofHours(1)).secret();
    assertEquals(200, ask("POST", "/v1/identity/logout", own, "").status());
    assertEquals(401, ask("GET", "/v1/identity", own, "").status());
  }

  @Test
  void signingOutIsBounded() throws Exception {
    int signedOut = 0;
    int status = 200;
    while (status == 200) {
      String token = provider.token(provider.claims(now).jwtID("t" + signedOut).build());
      status = ask("POST", "/v1/identity/logout", token, "").status();
      signedOut++;
    }
    assertEquals(409, status);
    assertEquals(33, signedOut);
    assertEquals(
        200, ask("POST", "/v1/identity/logout", of("bob", TestProvider.GROUP), "").status());
  }

  @Test
  void aRunningLeaseOutlivesItsProvider() throws Exception {
    stop();
    start(TestVerifier.ALWAYS_FRESH);
    String id = (String) ask("POST", LEASES, token(), "{\"seconds\": 600}").object().get("id");
    provider.has("/keys", _ -> new TestProvider.Answer(500, ""));
    Patience.until(
        "its keys are over",
        () -> ask("POST", LEASES, token(), "{\"seconds\": 60}").status() == 503);
    assertEquals("granted", pool.leases().fetch(id).state().label());
    String operator =
        pool.accounts().issue(new Standing(Role.OPERATOR, ""), "", Duration.ofHours(1)).secret();
    assertEquals(200, ask("GET", LEASES + "/" + id, operator, "").status());
  }

  /** A proxy in front may take the first of two headers, and this server the other one. */
  @Test
  void whoSaysTwoThingsIsNotHeard() throws Exception {
    for (String header :
        List.of(
            "Authorization: Bearer x\r\nAuthorization: Bearer " + token(),
            "Authorization : Bearer " + token(),
            "Authorization: Bearer\r\n " + token(),
            "X-Auth-Token: " + token(),
            "Authorization: Basic " + token(),
            "Authorization: Bearer " + token() + ", Bearer x")) {
      String answer = raw("GET /v1/identity HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n");
      assertTrue(answer.matches("(?s)HTTP/1.1 40[01] .*"), header + answer);
    }
  }

  @Test
  void aTokenOfTenMegabytesIsRefusedAtTheDoor() throws Exception {
    String head = "GET /v1/identity HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ";
    assertTrue(raw(head + "a".repeat(40 << 10)).startsWith("HTTP/1.1 400"));
    assertEquals(0, provider.asked("/keys"));
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
      socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      byte[] answer = new byte[200];
      int length = socket.getInputStream().readNBytes(answer, 0, 20);
      return new String(answer, 0, length, StandardCharsets.ISO_8859_1);
    }
  }
}
