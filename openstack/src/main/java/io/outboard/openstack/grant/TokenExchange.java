// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.api.json.Ordered;
import io.outboard.lease.account.Standing;
import io.outboard.office.LeaseOffice;
import io.outboard.openstack.cloud.CloudToken;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a token of the lease office for one of Keystone's: of the project's tenant, with the role
 * that the rules have, and not for longer than Keystone's is good.
 */
public final class TokenExchange {
  /** Longest time of a token. */
  static final Duration MOST = Duration.ofHours(1);

  private static final Duration LEAST = Duration.ofSeconds(1);

  /** People whose token is given out again, so that asking often makes no more of them. */
  private static final int MOST_REMEMBERED = 10_000;

  private final LeaseOffice office;
  private final CloudRules rules;
  private final InstantSource clock;
  private final Map<Holder, Given> given =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Holder, Given> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private record Holder(String user, Standing standing) {}

  private record Given(String secret, Instant made, Instant expires) {
    /** Good for a caller whose own token ends then, with at least half of its time left. */
    private boolean suits(Instant now, Instant end) {
      Duration life = Duration.between(made, expires);
      return !expires.isAfter(end) && now.plus(life.dividedBy(2)).isBefore(expires);
    }
  }

  public TokenExchange(LeaseOffice office, CloudRules rules, InstantSource clock) {
    this.office = office;
    this.rules = rules;
    this.clock = clock;
  }

  /** The office's token for its holder, as JSON; empty for one whose roles are nothing here. */
  public synchronized Optional<Map<String, Object>> exchange(CloudToken token) throws IOException {
    Optional<Standing> standing = rules.person(token);
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    Holder holder = new Holder(token.user(), standing.get());
    Given there = given.get(holder);
    Given now =
        there != null && there.suits(clock.instant(), token.expires())
            ? there
            : make(holder, token);
    given.put(holder, now);
    return Optional.of(
        Ordered.of(
            "token", now.secret(),
            "tenant", holder.standing().tenant(),
            "role", holder.standing().role().label(),
            "expires", now.expires().toString()));
  }

  private Given make(Holder holder, CloudToken token) throws IOException {
    Instant now = clock.instant();
    Duration left = Duration.between(now, token.expires());
    Duration life = left.compareTo(MOST) < 0 ? left : MOST;
    if (life.compareTo(LEAST) < 0) {
      throw new IOException("the token ends now");
    }
    String note = "keystone user %s, project %s".formatted(token.user(), token.project());
    LeaseOffice.Issued made = office.issue(holder.standing(), note, life);
    return new Given(made.secret(), now, now.plusSeconds(life.toSeconds()));
  }
}
