// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import com.nimbusds.jwt.SignedJWT;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.identity.rule.Claims;
import java.io.IOException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Has a cluster of Kubernetes say whose a token is (authentication.k8s.io/v1, "TokenReview"). A
 * token of a pod that is gone is none, which its signature does not show.
 */
public final class TokenReviews implements AutoCloseable {
  private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final Pattern ACCOUNT =
      Pattern.compile("system:serviceaccount:([a-z0-9.-]+):([a-z0-9.-]+)");

  /** How long an answer is believed. */
  private static final Duration BELIEVED = Duration.ofSeconds(10);

  /** Tokens whose answer is remembered. */
  private static final int MOST = 1_000;

  private final Cluster cluster;
  private final ProviderClient client;
  private final InstantSource clock;
  private final Map<String, Verified> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Verified> eldest) {
          return size() > MOST;
        }
      };

  public TokenReviews(Cluster cluster, ProviderClient client, InstantSource clock) {
    this.cluster = cluster;
    this.client = client;
    this.clock = clock;
  }

  public Cluster cluster() {
    return cluster;
  }

  /**
   * Says who has a token.
   *
   * @throws RefusedTokenException if the cluster does not vouch for it
   * @throws IOException if the cluster does not answer
   */
  public Verified verify(SignedJWT token) throws RefusedTokenException, IOException {
    String secret = token.serialize();
    Optional<Verified> there = remembered(secret);
    if (there.isPresent()) {
      return there.get();
    }
    Verified asked = new Verified(claims(status(secret)), until(token));
    remember(secret, asked);
    return asked;
  }

  private synchronized Optional<Verified> remembered(String secret) {
    Instant now = clock.instant();
    known.values().removeIf(one -> !now.isBefore(one.until()));
    return Optional.ofNullable(known.get(secret));
  }

  private synchronized void remember(String secret, Verified verified) {
    known.put(secret, verified);
  }

  /** An answer ends with the token, or is asked for again. */
  private Instant until(SignedJWT token) {
    Instant soon = clock.instant().plus(BELIEVED);
    try {
      Date end = token.getJWTClaimsSet().getExpirationTime();
      return end == null || end.toInstant().isAfter(soon) ? soon : end.toInstant();
    } catch (ParseException e) {
      return soon;
    }
  }

  private Map<?, ?> status(String secret) throws IOException {
    Map<String, Object> review =
        Ordered.of(
            "apiVersion",
            "authentication.k8s.io/v1",
            "kind",
            "TokenReview",
            "spec",
            Ordered.of("token", secret, "audiences", List.of(cluster.audience())));
    return object(
        client
            .post(
                cluster.server().resolve(PATH),
                PrivateFiles.read(cluster.token()).strip(),
                Json.write(review))
            .object()
            .get("status"));
  }

  private static Map<?, ?> object(Object value) {
    return value instanceof Map<?, ?> object ? object : Map.of();
  }

  private static List<String> texts(Object value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(one -> texts.add(String.valueOf(one)));
    }
    return texts;
  }

  /**
   * A cluster that knows no audiences names none in its answer: its tokens are for itself alone.
   */
  private Claims claims(Map<?, ?> status) throws RefusedTokenException {
    Map<?, ?> user = object(status.get("user"));
    boolean good =
        Boolean.TRUE.equals(status.get("authenticated"))
            && texts(status.get("audiences")).contains(cluster.audience());
    Matcher account = ACCOUNT.matcher(String.valueOf(user.get("username")));
    if (!good || !account.matches()) {
      throw new RefusedTokenException("the cluster vouches for no account by it");
    }
    return new Claims(
        cluster.name(),
        account.group(),
        Map.of(
            "namespace", List.of(account.group(1)),
            "account", List.of(account.group(2)),
            "groups", texts(user.get("groups")),
            "pod", texts(object(user.get("extra")).get("authentication.kubernetes.io/pod-name"))));
  }

  @Override
  public void close() {
    client.close();
  }
}
