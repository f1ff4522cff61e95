// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.store;

import java.util.Optional;

/** Where a node keeps its leases: a store that is opened when it is wanted first. */
public interface StoreLocation {
  /** Whether a store is there already, which then has to be used. */
  boolean isUsed();

  /** Why no store can be made, if that is seen already. */
  Optional<String> obstacle();

  /**
   * Opens the store, which is made where it is missing; who calls closes it.
   *
   * @throws StoreException also if another process has it, or a later version has written it
   */
  LeaseStore open();
}
