// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.wire.Hello;

/** Says who a peer is to be, of what it said first. */
@FunctionalInterface
public interface Claims {
  /**
   * Decides it; asked once for each greeting.
   *
   * @param hello what the peer said; nothing of it is proven
   * @throws RefusedException if the peer is to be turned away
   */
  Claim of(Hello hello) throws RefusedException;
}
