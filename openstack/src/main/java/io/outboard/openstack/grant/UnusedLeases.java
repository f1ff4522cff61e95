// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.office.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when leases of machines are not used: as exact as the looks, and as old as this process.
 */
final class UnusedLeases {
  private final Map<String, Unused> unused = new ConcurrentHashMap<>();

  /**
   * A lease that no program uses.
   *
   * @param since when it was seen so for the first time, or was granted
   * @param looked the last look
   * @param wasted the time of GPUs that nobody else could have meanwhile
   */
  record Unused(Instant since, Instant looked, Duration wasted) {
    private static Unused first(Lease lease, Instant now) {
      Instant since = lease.state().equals("granted") ? lease.granted().orElse(now) : now;
      return new Unused(since, since, Duration.ZERO);
    }

    private Unused and(Lease lease, Instant now) {
      Duration more = lease.occupies() ? Duration.between(looked, now) : Duration.ZERO;
      return new Unused(since, now, wasted.plus(more.multipliedBy(lease.gpus())));
    }
  }

  /** Takes the leases of machines into account as they are now. */
  void look(List<Lease> leases, Instant now) {
    List<Lease> still = leases.stream().filter(Lease::isUnused).toList();
    unused.keySet().retainAll(still.stream().map(Lease::id).toList());
    for (Lease lease : still) {
      Unused before = unused.getOrDefault(lease.id(), Unused.first(lease, now));
      unused.put(lease.id(), before.and(lease, now));
    }
  }

  /** The facts about a lease; empty for one that is used. */
  Optional<Unused> of(Lease lease) {
    return Optional.ofNullable(unused.get(lease.id()));
  }
}
