// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import io.outboard.lease.Parameter;
import java.util.Optional;

/**
 * The standing of somebody with the lease office. It is decided once, where somebody is let in, and
 * goes with all that is done then.
 *
 * @param role what it may do
 * @param tenant whose leases it is for; empty for all, which is an operator's or a reader's
 * @param user the global name, for accounting; empty where nobody has vouched for one
 * @param fqan virtual organisation, group and role; empty where nobody has vouched for one
 */
public record Standing(Role role, String tenant, String user, Optional<Fqan> fqan) {
  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if role and tenant do not go together, or a value is not
   *     permitted
   */
  public Standing {
    if (role == Role.USER && tenant.isEmpty()) {
      throw new IllegalArgumentException("a user's token is of a tenant");
    }
    if (role == Role.OPERATOR && !tenant.isEmpty()) {
      throw new IllegalArgumentException("an operator's token is of no tenant");
    }
    if (!tenant.isEmpty()) {
      Parameter.TENANT.permitted().check("the tenant", tenant);
    }
    Parameter.USER.permitted().check("the user", user);
  }

  /** Somebody of whom no more is known. */
  public Standing(Role role, String tenant) {
    this(role, tenant, "", Optional.empty());
  }

  /** Whether it is for what a tenant has. */
  public boolean covers(String whose) {
    return tenant.isEmpty() || tenant.equals(whose);
  }

  /** The FQAN as accounting writes it; empty where there is none. */
  public String fqanText() {
    return fqan.map(Fqan::text).orElse("");
  }

  /** The virtual organisation; empty where there is none. */
  public String vo() {
    return fqan.map(Fqan::vo).orElse("");
  }
}
