// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.outboard.identity.oidc.TestVerifier;
import io.outboard.lease.account.Caller;
import io.outboard.lease.account.Role;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of a provider, good ones and those of people who mean harm. */
final class ProviderIdentitiesTest {
  private static final long SEED = 60;
  private static final int ROUNDS = 1_000;
  private static final Instant NOW = TestProvider.NOW;
  private static final String KEYS = "/keys";
  private static final String METADATA = "/.well-known/openid-configuration";

  private TestProvider provider;
  private ProviderIdentities people;

  @BeforeEach
  void open() throws IOException {
    provider = new TestProvider();
    people = people(TestVerifier.LONG_LIVED);
  }

  private ProviderIdentities people(TestVerifier.Times times) throws IOException {
    IdentityFile file = IdentityFile.parse(provider.file());
    return new ProviderIdentities(
        file.rules(), TestVerifier.of(file.providers().getFirst(), () -> NOW, times));
  }

  @AfterEach
  void close() {
    people.close();
    provider.close();
  }

  private JWTClaimsSet.Builder claims() {
    return provider.claims(NOW);
  }

  private String good() {
    return provider.token(claims().build());
  }

  private void refused(String token, String why) throws IOException {
    Finding finding = people.examine(token);
    assertTrue(finding.caller().isEmpty(), finding::toString);
    String told = String.join("; ", finding.lines());
    assertTrue(told.contains(why), told);
  }

  @Test
  void aGoodTokenIsItsGroupsTenants() throws IOException {
    Caller caller = people.find(good()).orElseThrow();
    assertEquals("people:ada@people.example", caller.id());
    assertEquals(Role.USER, caller.standing().role());
    assertEquals("vo.example.org", caller.standing().tenant());
    assertEquals("vo.example.org", caller.standing().vo());
    assertEquals("/vo.example.org/gpu/Role=user", caller.standing().fqanText());
    assertEquals("ada@people.example", caller.standing().user());
    assertEquals(NOW.plusSeconds(300), caller.until());
  }

  @Test
  void whoHasNoGroupOfARuleHasNothing() throws IOException {
    refused(
        provider.token(claims().claim("entitlements", List.of()).build()), "nothing is granted");
    refused(provider.token(claims().claim("entitlements", null).build()), "no such claim");
    refused(
        provider.token(
            claims()
                .claim("groups", List.of(TestProvider.GROUP))
                .claim("entitlements", null)
                .build()),
        "no such claim");
  }

  /**
   * Cyrillic letters, wide ones, letters with a mark behind them, and what normalises to a text.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "urn:mace:egi.eu:group:v\u043e.example.org:gpu:role=user#aai.example.org",
        "urn:mace:egi.eu:group:vo.example.org:gpu:r\u043ele=user#aai.example.org",
        "urn:mace:egi.eu:group:\uff56o.example.org:gpu:role=user#aai.example.org",
        "urn:mace:egi.eu:group:vo\u0301.example.org:gpu:role=user#aai.example.org",
        "urn:mace:egi.eu:group:vo\u200b.example.org:gpu:role=user#aai.example.org",
        "urn:mace:egi.eu:group:vo.example.org:gpu:role=user#aai.example.org\n",
        " urn:mace:egi.eu:group:vo.example.org:gpu:role=user#aai.example.org",
        "URN:mace:egi.eu:group:vo.example.org:gpu:role=user#aai.example.org",
        "urn:mace:egi.eu:group:vo.example.org:gpu:role=user#aai.example.org.evil.example",
        "urn:mace:egi.eu:group:a:b:gpu:role=user#aai.example.org",
        "urn:mace:egi.eu:group::gpu:role=user#aai.example.org",
      })
  void aGroupThatOnlyLooksLikeOneIsNone(String group) throws IOException {
    refused(provider.token(claims().claim("entitlements", List.of(group)).build()), "unlike");
  }

  @Test
  void timesAreKept() throws IOException {
    Date now = Date.from(NOW);
    Date late = Date.from(NOW.minusSeconds(61));
    refused(
        provider.token(
            claims().issueTime(Date.from(NOW.minusSeconds(400))).expirationTime(late).build()),
        "Expired");
    Date soon = Date.from(NOW.plusSeconds(61));
    refused(provider.token(claims().issueTime(soon).build()), "future");
    refused(provider.token(claims().notBeforeTime(soon).build()), "before use time");
    refused(provider.token(claims().expirationTime(null).build()), "exp");
    refused(provider.token(claims().issueTime(null).build()), "iat");
    Date far = Date.from(NOW.plus(Duration.ofHours(25)));
    refused(provider.token(claims().expirationTime(far).build()), "24 hours");
    Date within = Date.from(NOW.minusSeconds(59));
    assertTrue(
        people
            .find(provider.token(claims().issueTime(now).expirationTime(within).build()))
            .isPresent());
  }

  @Test
  void aTokenForAnotherIsNoneHere() throws IOException {
    refused(provider.token(claims().audience("another").build()), "aud claim");
    refused(provider.token(claims().audience((String) null).build()), "aud claim");
    assertTrue(
        people
            .find(
                provider.token(
                    claims().audience(List.of("another", TestProvider.AUDIENCE)).build()))
            .isPresent());
  }

  @Test
  void anotherIssuerIsNeverAsked() throws IOException {
    try (TestProvider other = new TestProvider()) {
      refused(other.token(other.claims(NOW).build()), "issuer");
      refused(provider.token(claims().issuer(null).build()), "issuer");
      refused(provider.token(claims().issuer(provider.issuer() + "/").build()), "issuer");
      assertEquals(0, other.asked(METADATA) + other.asked(KEYS));
    }
  }

  @Test
  void noAddressOfATokenIsAsked() throws Exception {
    try (TestProvider other = new TestProvider()) {
      URI foreign = URI.create(other.issuer() + KEYS);
      JWSHeader.Builder header = provider.header();
      refused(
          TestProvider.signed(header.jwkURL(foreign).build(), claims().build(), other.key()),
          "brings a key");
      refused(
          TestProvider.signed(
              provider.header().x509CertURL(foreign).build(), claims().build(), other.key()),
          "brings a key");
      refused(
          TestProvider.signed(
              provider.header().jwk(other.key().toPublicJWK()).build(),
              claims().build(),
              other.key()),
          "brings a key");
      assertEquals(0, other.asked(KEYS));
    }
  }

  @Test
  void algorithmsAreNotTheTokensToChoose() throws JOSEException, IOException {
    refused(new PlainJWT(claims().build()).serialize(), "no signed JWT");
    String[] parts = good().split("\\.", -1);
    String none = Base64URL.encode("{\"alg\":\"none\"}").toString();
    refused(none + "." + parts[1] + ".", "no signed JWT");
    refused(none + "." + parts[1] + "." + parts[2], "no signed JWT");
    String other = Base64URL.encode("{\"alg\":\"ES256K\",\"kid\":\"k1\"}").toString();
    refused(other + "." + parts[1] + "." + parts[2], "rejected");
  }

  /** The public key, which everybody has, as the secret of an HMAC. */
  @Test
  void aPublicKeyIsNoSecret() throws JOSEException, IOException {
    RSAKey key = new RSAKeyGenerator(2_048).keyID("k1").generate();
    provider.has(KEYS, _ -> new TestProvider.Answer(200, new JWKSet(key.toPublicJWK()).toString()));
    SignedJWT right =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build(), claims().build());
    right.sign(new RSASSASigner(key));
    assertTrue(people.find(right.serialize()).isPresent());
    List<byte[]> secrets =
        List.of(
            key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
            key.toRSAPublicKey().getEncoded());
    for (byte[] secret : secrets) {
      SignedJWT confused =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), claims().build());
      confused.sign(new MACSigner(secret));
      refused(confused.serialize(), "rejected");
    }
  }

  @Test
  void aSignatureIsOfThisTokenByThisKey() throws IOException {
    String[] parts = good().split("\\.", -1);
    String[] other =
        provider.token(claims().subject("eve@people.example").build()).split("\\.", -1);
    refused(parts[0] + "." + other[1] + "." + parts[2], "Invalid signature");
    refused(parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()), "Invalid signature");
    ECKey another = TestProvider.newKey("k1");
    refused(
        TestProvider.signed(provider.header().build(), claims().build(), another),
        "Invalid signature");
  }

  @Test
  void typesOfOtherTokensAreRefused() throws IOException {
    for (String type : List.of("dpop+jwt", "logout+jwt", "JOSE")) {
      refused(
          provider.token(
              provider.header().type(new JOSEObjectType(type)).build(), claims().build()),
          "type");
    }
    String accepted =
        provider.token(
            provider.header().type(new JOSEObjectType("at+jwt")).build(), claims().build());
    assertTrue(people.find(accepted).isPresent());
  }

  @Test
  void aLongTokenIsNotRead() throws IOException {
    refused("a".repeat(10 << 20), "characters");
    String padded = provider.token(claims().claim("x", "y".repeat(20_000)).build());
    refused(padded, "characters");
    assertEquals(0, provider.asked(KEYS));
  }

  @Test
  void damagedTokensAreRefused() throws IOException {
    Random random = new Random(SEED);
    String token = good();
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder damaged = new StringBuilder(token);
      for (int i = random.nextInt(3); i >= 0; i--) {
        int at = random.nextInt(damaged.length());
        damaged.setCharAt(at, (char) (random.nextInt(8) == 0 ? '.' : ' ' + random.nextInt(95)));
      }
      String text = damaged.toString();
      if (isSomebodys(text)) {
        // The last characters of an encoding may have bits that nobody reads.
        assertEquals(decoded(token), decoded(text));
      }
    }
    for (String text :
        List.of("", ".", "..", "a.b.c", "e30.e30.e30", "e30.W10.", "\u00e9.\u00e9.")) {
      assertTrue(people.find(text).isEmpty(), text);
    }
  }

  /** One with a key that nobody knows is not known to be a good one. */
  private boolean isSomebodys(String token) throws IOException {
    try {
      return people.find(token).isPresent();
    } catch (IOException e) {
      assertTrue(e.getMessage().contains("fetched a moment ago"), e.getMessage());
      return false;
    }
  }

  private static List<Base64URL> decoded(String token) {
    return List.of(token.split("\\.", -1)).stream()
        .map(part -> Base64URL.encode(new Base64URL(part).decode()))
        .toList();
  }

  @Test
  void keysAreFetchedOnceAndAnewWhenTheyRotate() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertTrue(people.find(good()).isPresent());
    }
    assertEquals(1, provider.asked(KEYS));
    String before = good();
    provider.rotate("k2");
    assertTrue(people.find(good()).isPresent());
    assertEquals(2, provider.asked(KEYS));
    IOException known = assertThrows(IOException.class, () -> people.find(before));
    assertTrue(known.getMessage().contains("fetched a moment ago"), known.getMessage());
  }

  /** A stranger's tokens with keys that nobody has do not become requests to the provider. */
  @Test
  void unknownKeysDoNotFloodTheProvider() throws IOException {
    assertTrue(people.find(good()).isPresent());
    ECKey strange = TestProvider.newKey("strange");
    for (int i = 0; i < 50; i++) {
      JWSHeader header = provider.header().keyID("k" + i + 10).build();
      String token = TestProvider.signed(header, claims().build(), strange);
      try {
        assertTrue(people.find(token).isEmpty());
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("keys of people"), e.getMessage());
      }
    }
    assertTrue(provider.asked(KEYS) <= 3, () -> "asked " + provider.asked(KEYS));
    assertTrue(people.find(good()).isPresent(), "known keys go on");
  }

  @Test
  void aProviderThatIsDownGrantsNothingNewOnceItsKeysAreOver() throws Exception {
    people.close();
    people = people(TestVerifier.SHORT_LIVED);
    assertTrue(people.find(good()).isPresent());
    provider.has(KEYS, _ -> new TestProvider.Answer(500, ""));
    String token = good();
    Patience.until("its keys are over", () -> !isKnown(token));
    assertThrows(IOException.class, () -> people.find(token));
    provider.has(
        KEYS,
        _ -> new TestProvider.Answer(200, new JWKSet(provider.key().toPublicJWK()).toString()));
    Patience.until("it is back", () -> isKnown(token));
  }

  /** Somebody who is refused would be another thing. */
  private boolean isKnown(String token) {
    try {
      assertTrue(people.find(token).isPresent());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aProviderThatLiesIsNotBelieved() throws IOException {
    people.close();
    people = people(TestVerifier.ALWAYS_FRESH);
    try (TestProvider other = new TestProvider()) {
      Map<String, Object> foreign = provider.metadata();
      foreign.put("jwks_uri", other.issuer() + KEYS);
      lies(METADATA, TestProvider.Answer.of(foreign));
      assertEquals(0, other.asked(KEYS));
      lies(METADATA, TestProvider.Answer.of(other.metadata()));
    }
    lies(METADATA, new TestProvider.Answer(302, ""));
    assertEquals(0, provider.asked("/elsewhere"));
    lies(METADATA, new TestProvider.Answer(200, "[1]"));
    lies(METADATA, new TestProvider.Answer(200, "no JSON"));
    lies(METADATA, new TestProvider.Answer(200, "{\"a\": \"" + "x".repeat(10 << 20) + "\"}"));
    provider.has(METADATA, _ -> TestProvider.Answer.of(provider.metadata()));
    lies(KEYS, new TestProvider.Answer(200, "{\"keys\": 7}"));
    lies(KEYS, new TestProvider.Answer(302, ""));
    lies(KEYS, new TestProvider.Answer(200, "{\"keys\": [" + "{},".repeat(9 << 20) + "{}]}"));
  }

  private void lies(String path, TestProvider.Answer answer) throws IOException {
    provider.has(path, _ -> answer);
    assertThrows(IOException.class, () -> people.find(good()), path + answer.status());
  }

  @Test
  void aSlowProviderIsGivenUp() throws Exception {
    provider.has(
        KEYS,
        _ -> {
          try {
            Thread.sleep(Duration.ofHours(1));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new TestProvider.Answer(200, "{}");
        });
    people.close();
    IdentityFile file = IdentityFile.parse(provider.file());
    people =
        new ProviderIdentities(
            file.rules(),
            TestVerifier.of(
                file.providers().getFirst(),
                () -> NOW,
                TestVerifier.LONG_LIVED,
                Duration.ofSeconds(1)));
    IOException end = assertThrows(IOException.class, () -> people.find(good()));
    assertTrue(end.getMessage().contains("has not answered"), end.getMessage());
  }

  @Test
  void aWeakKeyIsNone() throws IOException {
    String weak =
        """
        {"keys": [{"kty": "RSA", "kid": "k1", "e": "AQAB", "n": "%s"}]}"""
            .formatted(Base64URL.encode(new byte[128]));
    provider.has(KEYS, _ -> new TestProvider.Answer(200, weak));
    refused(good(), "no matching key");
  }
}
