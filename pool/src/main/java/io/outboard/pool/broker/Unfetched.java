// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * When somebody last asked for the requests, and the grants that nobody has got yet, which stay
 * only while somebody does: a person who waits may have gone. Guarded by the broker's monitor.
 */
final class Unfetched {
  // By the leases' ids; a backend that begins has not been asked yet, and counts from then on.
  private final Map<String, Instant> asked = new HashMap<>();

  /** Whether one of these is a lease. */
  static boolean is(Lease lease) {
    return lease.request().keep().isPositive() && !lease.state().isEnd();
  }

  /** Somebody asks for it. */
  void asked(Lease lease, Instant now) {
    if (is(lease)) {
      asked.put(lease.id(), now);
    }
  }

  /** Nobody has to ask for it any more. */
  void forget(String id) {
    asked.remove(id);
  }

  /** The clock was set to another time. */
  void shift(Duration by) {
    asked.replaceAll((_, moment) -> moment.plus(by));
  }

  /** When it lapses unless somebody asks for it; none where it stays. */
  Optional<Instant> lapses(Lease lease, Instant now) {
    return is(lease)
        ? Optional.of(asked.computeIfAbsent(lease.id(), _ -> now).plus(lease.request().keep()))
        : Optional.empty();
  }
}
