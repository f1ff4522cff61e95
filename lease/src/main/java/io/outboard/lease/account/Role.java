// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import java.util.Locale;

/** The rights of an {@link AccessToken}; each role has those of the roles before it. */
public enum Role {
  /** Look. */
  READER,
  /** Ask for leases of its tenant, and end them. */
  USER,
  /** Everything. */
  OPERATOR;

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it may what another one may. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /**
   * The role of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Role of(String label) {
    for (Role role : values()) {
      if (role.label().equals(label)) {
        return role;
      }
    }
    throw new IllegalArgumentException("a role is reader, user or operator, not '" + label + "'");
  }
}
