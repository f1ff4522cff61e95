// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.bound;

import io.outboard.backend.supervision.Admitted;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.wire.Refusal;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the sessions of each lease and of each tenant, those among them that wait to be admitted,
 * and refuses the next where there are as many as may be. Nothing is remembered of leases and
 * tenants without sessions.
 */
public final class SessionBounds {
  private final SessionLimits limits;
  private final Map<String, Integer> ofLeases = new HashMap<>();
  private final Map<String, Integer> ofTenants = new HashMap<>();

  public SessionBounds(SessionLimits limits) {
    this.limits = limits;
  }

  /** Admits a session that has been counted. */
  @FunctionalInterface
  public interface Admitting {
    Admitted admit() throws RefusedException;
  }

  /**
   * Counts a session of somebody until it ends, or is not admitted.
   *
   * @throws RefusedException if there are as many as may be, or it is not admitted
   */
  public Admitted counted(Peer.Principal who, Admitting admitting) throws RefusedException {
    enter(who);
    boolean admitted = false;
    try {
      Admitted session = new CountedSession(admitting.admit(), () -> leave(who));
      admitted = true;
      return session;
    } finally {
      if (!admitted) {
        leave(who);
      }
    }
  }

  /** Counts a session that is there already, whatever the bounds. */
  public Admitted kept(Peer.Principal who, Admitted session) {
    count(who);
    return new CountedSession(session, () -> leave(who));
  }

  private synchronized void count(Peer.Principal who) {
    switch (who) {
      case Peer.Operator _, Peer.Itself _ -> {}
      case Peer.Member member -> ofTenants.merge(member.name(), 1, Integer::sum);
      case Peer.Holder holder -> {
        ofTenants.merge(holder.tenant(), 1, Integer::sum);
        ofLeases.merge(holder.lease(), 1, Integer::sum);
      }
    }
  }

  private synchronized void enter(Peer.Principal who) throws RefusedException {
    switch (who) {
      case Peer.Operator _, Peer.Itself _ -> {}
      case Peer.Member member -> checkTenant(member.name());
      case Peer.Holder holder -> {
        if (ofLeases.getOrDefault(holder.lease(), 0) >= limits.ofLease()) {
          throw full("lease " + holder.lease(), limits.ofLease(), "lease", "--lease-sessions");
        }
        checkTenant(holder.tenant());
      }
    }
    count(who);
  }

  private void checkTenant(String tenant) throws RefusedException {
    if (ofTenants.getOrDefault(tenant, 0) >= limits.ofTenant()) {
      throw full("tenant " + tenant, limits.ofTenant(), "tenant", "--tenant-sessions");
    }
  }

  private static RefusedException full(String whose, int limit, String kind, String option) {
    return new RefusedException(
        new Refusal(
            Refusal.LIMIT,
            ("%s has %d programs, the most of one %s here: wait until one ends,"
                    + " or have 'outboard serve %s' allow more")
                .formatted(whose, limit, kind, option)));
  }

  private synchronized void leave(Peer.Principal who) {
    switch (who) {
      case Peer.Operator _, Peer.Itself _ -> {}
      case Peer.Member member -> leave(ofTenants, member.name());
      case Peer.Holder holder -> {
        leave(ofLeases, holder.lease());
        leave(ofTenants, holder.tenant());
      }
    }
  }

  private static void leave(Map<String, Integer> counts, String whose) {
    counts.computeIfPresent(whose, (_, count) -> count > 1 ? count - 1 : null);
  }
}
