// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outboard.api.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** An OpenID provider in this process, which does what a test has it do, lies too. */
public final class TestProvider implements AutoCloseable {
  public static final String AUDIENCE = "outboard-broker";

  /** Any time, of a whole second as those of tokens are. */
  public static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private final HttpServer server;
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final Map<String, Function<Map<String, String>, Answer>> answers =
      new ConcurrentHashMap<>();
  private volatile ECKey key = newKey("k1");

  /** Its answer. */
  public record Answer(int status, String text) {
    public static Answer of(Object json) {
      return new Answer(200, Json.write(json));
    }
  }

  public TestProvider() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
    has("/.well-known/openid-configuration", _ -> Answer.of(metadata()));
    has("/keys", _ -> new Answer(200, new JWKSet(key.toPublicJWK()).toString()));
  }

  /** A key of a kind that takes little time to make. */
  static ECKey newKey(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public Map<String, Object> metadata() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("issuer", issuer());
    all.put("jwks_uri", issuer() + "/keys");
    all.put("token_endpoint", issuer() + "/token");
    all.put("device_authorization_endpoint", issuer() + "/device");
    all.put("revocation_endpoint", issuer() + "/revoke");
    return all;
  }

  /** Has a path answer something else. */
  public void has(String path, Function<Map<String, String>, Answer> answer) {
    answers.put(path, answer);
  }

  /** How often it was asked for a path. */
  public int asked(String path) {
    return asked.getOrDefault(path, new AtomicInteger()).get();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
      String form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      Answer answer = answers.getOrDefault(path, _ -> new Answer(404, "{}")).apply(fields(form));
      byte[] bytes = answer.text().getBytes(UTF_8);
      exchange.getResponseHeaders().add("Location", issuer() + "/elsewhere");
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Map<String, String> fields(String form) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : form.isEmpty() ? new String[0] : form.split("&")) {
      String[] parts = field.split("=", 2);
      fields.put(URLDecoder.decode(parts[0], UTF_8), URLDecoder.decode(parts[1], UTF_8));
    }
    return fields;
  }

  /** Takes another key, and forgets the one before. */
  public ECKey rotate(String id) {
    key = newKey(id);
    return key;
  }

  public ECKey key() {
    return key;
  }

  /** The claims of a good token. */
  public JWTClaimsSet.Builder claims(Instant now) {
    return new JWTClaimsSet.Builder()
        .issuer(issuer())
        .audience(AUDIENCE)
        .subject("ada@people.example")
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(300)))
        .claim("entitlements", List.of(GROUP));
  }

  /** The group of {@link #claims}. */
  public static final String GROUP =
      "urn:mace:egi.eu:group:vo.example.org:gpu:role=user#aai.example.org";

  /** The header of a good token. */
  public JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID());
  }

  public String token(JWTClaimsSet claims) {
    return token(header().build(), claims);
  }

  public String token(JWSHeader header, JWTClaimsSet claims) {
    return signed(header, claims, key);
  }

  static String signed(JWSHeader header, JWTClaimsSet claims, ECKey with) {
    try {
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(new ECDSASigner(with));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A file of rules that believes it, with the rule for {@link #GROUP}. */
  public String file() {
    return """
        [provider people]
        issuer = %s
        audience = %s

        [rule gpu users]
        from = people
        claim.entitlements = urn:mace:egi.eu:group:{vo}:gpu:role=user#aai.example.org
        tenant = {vo}
        role = user
        fqan = /{vo}/gpu/Role=user
        """
        .formatted(issuer(), AUDIENCE);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
