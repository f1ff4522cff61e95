// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import java.time.Instant;

/**
 * A token of the HTTP interface, without its secret, which nobody but its holder has.
 *
 * @param id by which people name it
 * @param role what its holder may do
 * @param tenant whose leases it is for; empty for all, which is an operator's or a reader's
 * @param note what it is for, for people
 * @param created when it was made
 * @param expires when it ends
 * @param revoked whether it has been taken back
 */
public record AccessToken(
    String id,
    Role role,
    String tenant,
    String note,
    Instant created,
    Instant expires,
    boolean revoked) {
  /** Checks role and tenant. */
  public AccessToken {
    if (role == Role.USER && tenant.isEmpty()) {
      throw new IllegalArgumentException("a user's token is of a tenant");
    }
    if (role == Role.OPERATOR && !tenant.isEmpty()) {
      throw new IllegalArgumentException("an operator's token is of no tenant");
    }
  }

  /** Whether it is good now. */
  public boolean isGood(Instant now) {
    return !revoked && now.isBefore(expires);
  }

  /** Whether it is for what a tenant has. */
  public boolean covers(String whose) {
    return tenant.isEmpty() || tenant.equals(whose);
  }
}
