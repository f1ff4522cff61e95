// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A provider whose access tokens are believed.
 *
 * @param name by which rules name it
 * @param issuer as its tokens name it, character by character
 * @param audiences of which a token names one: tokens for other services are refused
 * @param algorithms of signatures
 * @param skew by how much clocks may differ
 * @param keys where its key set is; where it is empty, as the issuer's metadata say, on its server
 * @param authorities who vouches for its server, PEM; where it is empty, those of the JDK
 * @param console the client id of the console, at which people sign in with a browser; empty where
 *     they do not
 * @param scope that the console asks for
 */
public record Provider(
    String name,
    String issuer,
    Set<String> audiences,
    Set<JWSAlgorithm> algorithms,
    Duration skew,
    Optional<URI> keys,
    Optional<Path> authorities,
    Optional<String> console,
    String scope) {
  private static final Duration MOST_SKEW = Duration.ofMinutes(5);
  private static final String USUAL_SKEW = "60";
  private static final String USUAL_SCOPE = "openid";
  private static final String USUAL_ALGORITHMS = "RS256, ES256, PS256";
  private static final Set<String> KEYS =
      Set.of("issuer", "audience", "algorithms", "skew", "keys", "ca", "console", "scope");

  /** Those with a public key. An algorithm with a shared secret is never one of them. */
  private static final Set<JWSAlgorithm> POSSIBLE =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  /** Copies. */
  public Provider {
    audiences = Set.copyOf(audiences);
    algorithms = Set.copyOf(algorithms);
  }

  /** One at which nobody signs in with a browser. */
  public Provider(
      String name,
      String issuer,
      Set<String> audiences,
      Set<JWSAlgorithm> algorithms,
      Duration skew,
      Optional<URI> keys,
      Optional<Path> authorities) {
    this(
        name,
        issuer,
        audiences,
        algorithms,
        skew,
        keys,
        authorities,
        Optional.empty(),
        USUAL_SCOPE);
  }

  /**
   * Makes one of the values that a file has.
   *
   * @throws IllegalArgumentException if something is missing, or not known, or impossible
   */
  public static Provider of(String name, Map<String, String> values) {
    for (String key : values.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("a provider has no '" + key + "'");
      }
    }
    return new Provider(
        name,
        WebAddress.parse(values.getOrDefault("issuer", "")).toString(),
        audiences(values.getOrDefault("audience", "")),
        algorithms(values.getOrDefault("algorithms", USUAL_ALGORITHMS)),
        skew(values.getOrDefault("skew", USUAL_SKEW)),
        Optional.ofNullable(values.get("keys")).map(WebAddress::parse),
        Optional.ofNullable(values.get("ca")).map(Path::of),
        Optional.ofNullable(values.get("console")).filter(client -> !client.isBlank()),
        values.getOrDefault("scope", USUAL_SCOPE));
  }

  private static Set<String> words(String text) {
    return Arrays.stream(text.split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toSet());
  }

  private static Set<String> audiences(String text) {
    Set<String> audiences = words(text);
    if (audiences.isEmpty()) {
      throw new IllegalArgumentException("it wants 'audience': tokens for others are none here");
    }
    return audiences;
  }

  private static Set<JWSAlgorithm> algorithms(String text) {
    Set<JWSAlgorithm> algorithms =
        words(text).stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    if (algorithms.isEmpty() || !POSSIBLE.containsAll(algorithms)) {
      throw new IllegalArgumentException(
          "algorithms are of %s, not '%s'".formatted(POSSIBLE, text));
    }
    return algorithms;
  }

  private static Duration skew(String seconds) {
    try {
      Duration skew = Duration.ofSeconds(Long.parseLong(seconds));
      if (skew.isNegative() || skew.compareTo(MOST_SKEW) > 0) {
        throw new IllegalArgumentException(
            "skew is 0 to %d seconds".formatted(MOST_SKEW.toSeconds()));
      }
      return skew;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("skew is a number of seconds, not '" + seconds + "'", e);
    }
  }
}
