// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Optional;

/**
 * Which leases are wanted, in the order of their cursors.
 *
 * @param tenant whose; empty for all
 * @param over whether those that are over are wanted too
 * @param after only those behind it
 * @param most so many at most
 */
public record LeaseQuery(String tenant, boolean over, Optional<LeaseCursor> after, int most) {
  /** How many there are in a page where nothing is said. */
  public static final int PAGE = 1_000;

  /** All that are not over. */
  public static final LeaseQuery LIVING =
      new LeaseQuery("", false, Optional.empty(), Integer.MAX_VALUE);

  /** Checks the number. */
  public LeaseQuery {
    Parameter.LIMIT.check(most);
  }

  /** Whether a lease is wanted, if there is room for it. */
  public boolean wants(Lease lease) {
    return (tenant.isEmpty() || tenant.equals(lease.tenant()))
        && (over || !lease.state().isEnd())
        && after.filter(cursor -> cursor.compareTo(LeaseCursor.of(lease)) >= 0).isEmpty();
  }
}
