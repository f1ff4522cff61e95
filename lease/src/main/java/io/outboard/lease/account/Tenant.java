// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import io.outboard.lease.Parameter;
import java.time.Duration;
import java.util.Optional;

/**
 * On whose account leases are.
 *
 * @param name by which leases name it
 * @param budget how much GPU time its leases may have in all, a whole GPU for that time; none where
 *     that has no limit
 */
public record Tenant(String name, Optional<Duration> budget) {
  /** Checks both. */
  public Tenant {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a tenant has a name");
    }
    budget.ifPresent(Parameter.BUDGET::check);
  }
}
