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

  /** The beginning of the note of what was signed out. */
  private static final String SIGNED_OUT = "signed out: ";

  /** Tokens of a caller that were signed out and have not ended. */
  static final int MOST_SIGNED_OUT = 32;

  /** For how long people can see a token that has ended. */
  private static final Duration KEPT = Duration.ofDays(1);

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
   * @throws IllegalArgumentException if the time is not permitted
   */
  public synchronized Issued issue(Standing standing, String note, Duration duration) {
    Parameter.SECONDS.check(duration);
    Instant now = clock.instant();
    forget(now.minus(KEPT));
    AccessToken token = new AccessToken(newId(), standing, note, now, now.plus(duration), false);
    String secret = PREFIX + Token.random().digits();
    add(token, secret);
    return new Issued(token, secret);
  }

  private static String newId() {
    return Bytes.random(ID_BYTES).hex();
  }

  private void add(AccessToken token, String secret) {
    forget(token.created().minus(KEPT));
    store.add(token, hash(secret));
    tokens.put(hash(secret), token);
  }

  /**
   * Has the secret of a caller be refused from now on, also one for which somebody else vouches:
   * that one is kept as a token that has been taken back.
   *
   * @throws LeaseException if it cannot be kept, as the caller has signed out too often
   */
  public synchronized void signOut(Caller caller, String secret) throws LeaseException {
    AccessToken own = tokens.get(hash(secret));
    if (own != null) {
      AccessToken unused = revoke(own.id());
      return;
    }
    Instant now = clock.instant();
    String note = SIGNED_OUT + caller.id();
    long before =
        tokens.values().stream()
            .filter(token -> token.note().equals(note) && now.isBefore(token.expires()))
            .count();
    if (before >= MOST_SIGNED_OUT) {
      throw new LeaseException("%s has signed out %d times lately".formatted(caller.id(), before));
    }
    Standing nothing = new Standing(Role.READER, caller.standing().tenant());
    add(new AccessToken(newId(), nothing, note, now, caller.until(), true), secret);
  }

  /** Whether a secret is one of the office's, or is refused, so that nobody else is asked. */
  public synchronized boolean isKnown(String secret) {
    return secret.startsWith(PREFIX) || tokens.containsKey(hash(secret));
  }

  /** Programs get tokens again and again: without this there would be more each day. */
  private void forget(Instant before) {
    if (tokens.values().removeIf(token -> token.expires().isBefore(before))) {
      store.forget(before);
    }
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
