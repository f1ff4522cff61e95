// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import java.util.Set;

/**
 * The capabilities of a communicator, and its reach.
 *
 * @param distance how far away the other side is
 * @param can what is not among these it cannot
 */
public record Capabilities(Distance distance, Set<Capability> can) {
  /** Keeps a copy. */
  public Capabilities {
    can = Set.copyOf(can);
  }

  /** So far away, with these capabilities. */
  public Capabilities(Distance distance, Capability... can) {
    this(distance, Set.of(can));
  }

  /** Whether both sides find memory that they share without passing its descriptor. */
  public boolean hasOwnRegions() {
    return has(Capability.REGIONS) && !has(Capability.DESCRIPTORS);
  }

  /** Whether it has a capability. */
  public boolean has(Capability one) {
    return can.contains(one);
  }
}
