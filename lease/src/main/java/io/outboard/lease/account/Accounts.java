// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.lease.LeaseException;
import io.outboard.lease.Parameter;
import io.outboard.wire.Bytes;
import io.outboard.wire.Sha256;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes tokens of the HTTP interface and knows them again. A secret is 32 random bytes, so its
 * plain SHA-256 is as hard to invert as the secret to guess; only that is kept.
 */
public final class Accounts {
  private static final String PREFIX = "outboard_";
  private static final int ID_BYTES = 6;

  private final AccountStore store;
  private final InstantSource clock;
  private final Map<Bytes, AccessToken> tokens = new HashMap<>();

  /** A token that has just been made, with what its holder is to have. */
  public record Issued(AccessToken token, String secret) {}

  public Accounts(AccountStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    tokens.putAll(store.tokens());
  }

  /**
   * Makes a token.
   *
   * @param tenant empty for none
   * @throws IllegalArgumentException if role and tenant do not go together, or the time is not
   *     permitted
   */
  public synchronized Issued issue(Role role, String tenant, String note, Duration duration) {
    Parameter.SECONDS.check(duration);
    Instant now = clock.instant();
    String id = Bytes.random(ID_BYTES).hex();
    AccessToken token = new AccessToken(id, role, tenant, note, now, now.plus(duration), false);
    String secret = PREFIX + Token.random().digits();
    store.add(token, hash(secret));
    tokens.put(hash(secret), token);
    return new Issued(token, secret);
  }

  /** The good token of a secret, if it is one. */
  public synchronized Optional<AccessToken> check(String secret) {
    return Optional.ofNullable(tokens.get(hash(secret)))
        .filter(token -> token.isGood(clock.instant()));
  }

  /**
   * Takes a token back.
   *
   * @throws LeaseException if there is none
   */
  public synchronized AccessToken revoke(String id) throws LeaseException {
    if (tokens.values().stream().noneMatch(token -> token.id().equals(id))) {
      throw new LeaseException("there is no token " + id);
    }
    AccessToken revoked = store.revoke(id);
    tokens.replaceAll((_, token) -> token.id().equals(id) ? revoked : token);
    return revoked;
  }

  /** All tokens, the oldest first. */
  public synchronized List<AccessToken> tokens() {
    Collection<AccessToken> all = tokens.values();
    return all.stream()
        .sorted(Comparator.comparing(AccessToken::created).thenComparing(AccessToken::id))
        .toList();
  }

  private static Bytes hash(String secret) {
    return Sha256.of(secret.getBytes(UTF_8));
  }
}
