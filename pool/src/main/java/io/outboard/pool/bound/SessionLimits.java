// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.bound;

/**
 * How many sessions there may be at a time; a program is a session.
 *
 * @param ofLease of one lease
 * @param ofTenant of one tenant: of its leases together, and of a member of the socket's group
 *     without one; sessions of the operator without a lease are not counted
 */
public record SessionLimits(int ofLease, int ofTenant) {
  /** Where nothing is said: no tenant has more than half of a backend's sessions. */
  public static final SessionLimits USUAL = new SessionLimits(64, 128);

  /** Checks the figures. */
  public SessionLimits {
    if (ofLease < 1 || ofTenant < 1) {
      throw new IllegalArgumentException("a lease and a tenant may have one session at least");
    }
  }
}
