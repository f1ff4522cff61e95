// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outboard.api.json.Json;
import io.outboard.identity.oidc.ProviderClient;
import io.outboard.identity.oidc.TokenReviews;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accounts of Kubernetes, with a stand-in for its API server. */
final class TokenReviewsTest {
  private static final String ISSUER = "https://kubernetes.default.svc";
  private static final String GOOD =
      """
      {"authenticated": true, "audiences": ["outboard"],
       "user": {"username": "system:serviceaccount:physics:train",
                "groups": ["system:serviceaccounts", "system:serviceaccounts:physics"],
                "extra": {"authentication.kubernetes.io/pod-name": ["train-1"]}}}
      """;

  @TempDir private Path folder;
  private HttpServer server;
  private ProviderIdentities identities;
  private volatile String status = GOOD;
  private volatile int code = 201;
  private volatile String question = "";
  private volatile String asker = "";
  private final AtomicInteger questions = new AtomicInteger();
  private volatile Instant now = Instant.now();

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/apis/authentication.k8s.io/v1/tokenreviews", this::review);
    server.start();
    Path token = Files.writeString(folder.resolve("token"), "office\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    IdentityFile file =
        IdentityFile.parse(
            """
            [cluster lab]
            server = http://127.0.0.1:%d
            issuer = %s
            audience = outboard
            token-file = %s

            [rule accounts]
            from = lab
            claim.namespace = {namespace}
            claim.account = train
            tenant = {namespace}
            role = user
            """
                .formatted(server.getAddress().getPort(), ISSUER, token));
    ProviderClient client = new ProviderClient(Optional.empty());
    identities =
        new ProviderIdentities(
            file.rules(), new TokenReviews(file.clusters().getFirst(), client, () -> now));
  }

  private void review(HttpExchange exchange) throws IOException {
    try (exchange) {
      int unused = questions.incrementAndGet();
      question = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      asker = exchange.getRequestHeaders().getFirst("Authorization");
      byte[] answer = ("{\"kind\": \"TokenReview\", \"status\": " + status + "}").getBytes(UTF_8);
      exchange.sendResponseHeaders(code, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @AfterEach
  void end() {
    identities.close();
    server.stop(0);
  }

  private String token(String issuer) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.HS256),
            new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject("system:serviceaccount:physics:train")
                .expirationTime(Date.from(now.plus(Duration.ofHours(1))))
                .build());
    token.sign(new MACSigner(new byte[32]));
    return token.serialize();
  }

  @Test
  void anAccountIsATenantsMember() throws Exception {
    String secret = token(ISSUER);
    Finding finding = identities.examine(secret);
    assertEquals("physics", finding.caller().orElseThrow().standing().tenant());
    assertEquals("lab:system:serviceaccount:physics:train", finding.caller().get().id());
    assertEquals("Bearer office", asker);
    Map<?, ?> spec = (Map<?, ?>) ((Map<?, ?>) Json.read(question)).get("spec");
    assertEquals(secret, spec.get("token"));
    assertEquals(List.of("outboard"), spec.get("audiences"));
  }

  @Test
  void anAnswerIsBelievedForAWhile() throws Exception {
    String secret = token(ISSUER);
    assertTrue(identities.find(secret).isPresent());
    assertTrue(identities.find(secret).isPresent());
    assertEquals(1, questions.get());
    status = "{\"authenticated\": false}";
    now = now.plusSeconds(11);
    assertTrue(identities.find(secret).isEmpty(), "its pod is gone");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"authenticated\": false}",
        "{}",
        "[]",
        "{\"authenticated\": \"true\", \"audiences\": [\"outboard\"]}",
        "{\"authenticated\": true, \"audiences\": [\"outboard\"]}",
        "{\"authenticated\": true, \"user\": {\"username\": \"system:serviceaccount:p:train\"}}",
        "{\"authenticated\": true, \"audiences\": [\"another\"],"
            + " \"user\": {\"username\": \"system:serviceaccount:p:train\"}}",
        "{\"authenticated\": true, \"audiences\": [\"outboard\"],"
            + " \"user\": {\"username\": \"system:admin\"}}",
      })
  void absenceNeverGrants(String answer) throws Exception {
    status = answer;
    assertTrue(identities.find(token(ISSUER)).isEmpty());
  }

  @Test
  void aTokenOfAnotherIssuerIsShownToNobody() throws Exception {
    assertTrue(identities.find(token("https://another")).isEmpty());
    assertEquals(0, questions.get());
  }

  @Test
  void aClusterThatRefusesGrantsNothing() throws Exception {
    code = 403;
    String secret = token(ISSUER);
    assertThrows(IOException.class, () -> identities.find(secret));
  }
}
