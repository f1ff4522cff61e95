// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.json.Json;
import io.outboard.api.monitoring.Node;
import io.outboard.identity.Finding;
import io.outboard.identity.IdentityFile;
import io.outboard.identity.ProviderIdentities;
import io.outboard.identity.proxy.ProxyFile;
import io.outboard.lease.Gpu;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import io.outboard.voms.TestGrid.Credential;
import io.outboard.voms.TestGrid.Said;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that proxies sign, and what they give at the real HTTP interface. */
final class ProxyTokenTest {
  private static final String OFFICE = "outboard-broker";
  private static final String FQAN = "/test.vo/gpu/Role=user";
  private static final String NAME = "/DC=org/DC=outboard/CN=Alice Test";
  private static final JOSEObjectType TYPE = new JOSEObjectType("grid-proxy+jwt");

  @TempDir private Path folder;
  private ProxyFile proxy;
  private ProviderIdentities people;

  @BeforeEach
  void begin() throws Exception {
    TestGrid grid = new TestGrid(folder);
    Credential alice = grid.authority().vouch(TestGrid.ALICE, TestGrid.rsa());
    Credential server =
        grid.authority().vouch("DC=org,DC=outboard,CN=" + TestGrid.HOST, TestGrid.rsa());
    proxy = TestGrid.proxy(alice, new Said(server, alice.certificate(), "test.vo", FQAN));
    people =
        new ProviderIdentities(
            IdentityFile.parse(
                """
                [grid grid]
                audience = %s
                certificates = %s
                vomsdir = %s

                [rule GPU users]
                from = grid
                claim.fqan = /{vo}/gpu/Role=user
                tenant = {vo}
                role = user
                fqan = /{vo}/gpu/Role=user
                """
                    .formatted(OFFICE, grid.certificates(), grid.vomsdir())));
  }

  @AfterEach
  void end() {
    people.close();
  }

  private Finding found(String token) throws IOException {
    return people.examine(token);
  }

  @Test
  void itsHolderIsAMemberOfTheGroupsTenant() throws Exception {
    Finding finding = found(proxy.token(OFFICE, Instant.now()));
    Standing standing = finding.caller().orElseThrow().standing();
    assertEquals("test.vo", standing.tenant());
    assertEquals(NAME, standing.user());
    assertEquals(FQAN, standing.fqanText());
    assertEquals("grid:" + NAME, finding.caller().get().id());
    assertTrue(finding.caller().get().until().isBefore(Instant.now().plus(Duration.ofMinutes(11))));
    assertEquals(
        standing, people.examine(proxy.chain()).caller().orElseThrow().standing(), "as explained");
  }

  @Test
  void aTokenIsForOneOfficeAndSomeMinutes() throws Exception {
    for (String wrong :
        List.of(
            proxy.token("another", Instant.now()),
            proxy.token(OFFICE, Instant.now().minus(Duration.ofMinutes(12))),
            proxy.token(OFFICE, Instant.now().plus(Duration.ofMinutes(2))))) {
      assertTrue(found(wrong).caller().isEmpty(), found(wrong)::toString);
    }
  }

  private static SignedJWT unsigned(JWSAlgorithm algorithm, JWTClaimsSet claims, ProxyFile chain)
      throws Exception {
    List<Base64> encoded = new ArrayList<>();
    for (X509Certificate one : chain.chain()) {
      encoded.add(Base64.encode(one.getEncoded()));
    }
    return new SignedJWT(
        new JWSHeader.Builder(algorithm).type(TYPE).x509CertChain(encoded).build(), claims);
  }

  private static JWTClaimsSet.Builder claims(Duration life) {
    return new JWTClaimsSet.Builder()
        .audience(OFFICE)
        .issueTime(Date.from(Instant.now()))
        .expirationTime(Date.from(Instant.now().plus(life)));
  }

  private String signed(JWTClaimsSet claims, PrivateKey key) throws Exception {
    SignedJWT token = unsigned(JWSAlgorithm.ES256, claims, proxy);
    token.sign(new ECDSASigner((ECPrivateKey) key));
    return token.serialize();
  }

  @Test
  void aTokenThatIsNotTheProxysIsRefused() throws Exception {
    JWTClaimsSet good = claims(Duration.ofMinutes(5)).build();
    assertTrue(found(signed(good, proxy.key())).caller().isPresent());
    List<String> forged = new ArrayList<>();
    // A server that has seen the proxy's certificates has not its key.
    forged.add(signed(good, TestGrid.curve().getPrivate()));
    SignedJWT secret = unsigned(JWSAlgorithm.HS256, good, proxy);
    secret.sign(new MACSigner(proxy.chain().getFirst().getPublicKey().getEncoded()));
    forged.add(secret.serialize());
    forged.add(signed(claims(Duration.ofHours(2)).build(), proxy.key()));
    forged.add(signed(new JWTClaimsSet.Builder().audience(OFFICE).build(), proxy.key()));
    forged.add(
        signed(
            claims(Duration.ofMinutes(5)).audience(List.of(OFFICE, "other")).build(), proxy.key()));
    for (String one : forged) {
      assertTrue(found(one).caller().isEmpty(), one);
    }
  }

  @Test
  void aFileOfOthersIsNoProxy(@TempDir Path home) {
    assertThrows(IOException.class, () -> ProxyFile.read(home.resolve("none")));
  }

  /** The ledger has her name, her organisation and her group, whatever she says. */
  @Test
  void aLeaseAndItsRowsAreHers(@TempDir Path state) throws Exception {
    try (Pool pool = new Pool(SqliteLocation.in(state), false)) {
      pool.open(List.of(new Gpu(0, "GPU-0", "NVIDIA H200", 141L << 30)));
      try (ApiServer server =
          ApiServer.at(ApiAddress.parse("http://127.0.0.1:0"))
              .identities(people)
              .start(pool, new Node("node", "1", List.of("unix:/s"), Instant.now()), state)) {
        String token = proxy.token(OFFICE, Instant.now());
        String claimed = "{\"seconds\": 60, \"fqan\": \"/atlas/Role=production\"}";
        assertEquals(403, ask(server, token, "POST", "/v1/leases", claimed).statusCode());
        HttpResponse<String> made = ask(server, token, "POST", "/v1/leases", "{\"seconds\": 60}");
        assertEquals(201, made.statusCode(), made.body());
        Map<?, ?> lease = (Map<?, ?>) Json.read(made.body());
        assertEquals(
            List.of("test.vo", NAME, FQAN, "test.vo"),
            List.of(lease.get("tenant"), lease.get("user"), lease.get("fqan"), lease.get("vo")));
        String ending = "/v1/leases/" + lease.get("id") + "/release";
        assertEquals(200, ask(server, token, "POST", ending, "{}").statusCode());
        String operator =
            pool.accounts()
                .issue(new Standing(Role.OPERATOR, ""), "", Duration.ofHours(1))
                .secret();
        String rows = ask(server, operator, "GET", "/v1/usage", "").body();
        assertTrue(rows.contains("\"fqan\": \"" + FQAN + "\""), rows);
        assertTrue(rows.contains("\"vo\": \"test.vo\""), rows);
        assertTrue(rows.contains("\"user\": \"" + NAME + "\""), rows);
      }
    }
  }

  private static HttpResponse<String> ask(
      ApiServer server, String token, String method, String path, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(server.uri() + path))
              .timeout(Patience.LIMIT)
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
