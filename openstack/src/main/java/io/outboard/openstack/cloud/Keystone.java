// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestAnswer;
import io.outboard.office.rest.RestClient;
import io.outboard.office.rest.RestException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The identity service (Identity API v3): signs in, and knows the tokens of others. */
public final class Keystone {
  /** A token that ends sooner is not used any more: a request with it may take a while. */
  private static final Duration SPARE = Duration.ofMinutes(2);

  /** For how long a token is believed that was taken back meanwhile. */
  static final Duration REMEMBERED = Duration.ofSeconds(30);

  private static final int MOST_REMEMBERED = 1_000;

  private final Credentials account;
  private final RestClient rest;
  private final InstantSource clock;
  private SignedIn own;
  private final Map<Bytes, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Bytes, Known> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private record Known(CloudToken token, Instant until) {}

  /** This program's token, and the services that come with it. */
  private record SignedIn(String token, Instant expires, Fields catalog) {}

  public Keystone(Credentials account, RestClient rest, InstantSource clock) {
    this.account = account;
    this.rest = rest;
    this.clock = clock;
  }

  /** By which it asks. */
  public RestClient rest() {
    return rest;
  }

  /** A good token of this program's account. */
  public synchronized String token() throws IOException {
    return signedIn().token();
  }

  /** Has the next one be another, as a service has refused this one. */
  synchronized void forget(String refused) {
    if (own != null && own.token().equals(refused)) {
      own = null;
    }
  }

  /**
   * The public URL of a service of the account's region.
   *
   * @param type as the catalog has it
   */
  synchronized URI endpoint(String type) throws IOException {
    for (Fields service : signedIn().catalog().objects("catalog")) {
      for (Fields endpoint : service.objects("endpoints")) {
        boolean wanted =
            service.text("type").equals(type)
                && endpoint.text("interface").equals("public")
                && endpoint.text("region_id").equals(account.region());
        if (wanted) {
          return URI.create(endpoint.text("url").replaceFirst("/+$", ""));
        }
      }
    }
    throw new IOException("the region %s has no service '%s'".formatted(account.region(), type));
  }

  private SignedIn signedIn() throws IOException {
    if (own == null || clock.instant().plus(SPARE).isAfter(own.expires())) {
      RestAnswer answer = rest.ask("POST", account.at("/auth/tokens"), Map.of(), account.request());
      CloudToken token = CloudToken.of(answer.body());
      if (answer.token().isEmpty() || !token.isGood(clock.instant())) {
        throw new IOException(account + ": Keystone's answer has no token");
      }
      own = new SignedIn(answer.token(), token.expires(), answer.body().object("token"));
    }
    return own;
  }

  /**
   * Whose a token is, if it is good.
   *
   * @throws IOException if Keystone cannot be asked: then nobody knows
   */
  public Optional<CloudToken> check(String secret) throws IOException {
    if (!isHeader(secret)) {
      return Optional.empty();
    }
    Bytes key = Sha256.of(secret.getBytes(StandardCharsets.US_ASCII));
    Optional<CloudToken> remembered = remembered(key);
    return remembered.isPresent() ? remembered : ask(secret, key);
  }

  /** A text with other characters could be no header of a request. */
  private static boolean isHeader(String secret) {
    return !secret.isEmpty() && secret.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  private Optional<CloudToken> remembered(Bytes key) {
    Instant now = clock.instant();
    synchronized (known) {
      return Optional.ofNullable(known.get(key))
          .filter(one -> now.isBefore(one.until()) && one.token().isGood(now))
          .map(Known::token);
    }
  }

  private Optional<CloudToken> ask(String secret, Bytes key) throws IOException {
    Instant now = clock.instant();
    Optional<CloudToken> token = told(secret).filter(one -> one.isGood(now));
    synchronized (known) {
      token.ifPresentOrElse(
          one -> known.put(key, new Known(one, now.plus(REMEMBERED))), () -> known.remove(key));
    }
    return token;
  }

  /** Keystone answers 404 of a token that it does not know, and 401 where ours is over. */
  private Optional<CloudToken> told(String secret) throws IOException {
    for (boolean again = false; ; again = true) {
      String asking = token();
      try {
        Map<String, String> headers = Map.of("X-Auth-Token", asking, "X-Subject-Token", secret);
        URI where = account.at("/auth/tokens?nocatalog");
        return Optional.of(CloudToken.of(rest.ask("GET", where, headers, null).body()));
      } catch (RestException e) {
        if (e.status() == RestException.NOT_FOUND) {
          return Optional.empty();
        }
        if (e.status() != RestException.UNAUTHORIZED || again) {
          throw e;
        }
        forget(asking);
      }
    }
  }
}
