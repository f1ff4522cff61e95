// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Locale;

/** How devices are chosen for a lease. */
public enum Placement {
  /**
   * The fullest devices that have room, on the node that has the fewest: whole devices, and nodes
   * with many, stay free for leases that want these. On several nodes only where one has not
   * enough, and then on as few as possible.
   */
  PACK,
  /**
   * The emptiest, on the node that has most of them: a lease that shares a device shares it with as
   * few as possible. One that may have several nodes has as many as it may, in equal parts.
   */
  SPREAD;

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * That of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Placement of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
