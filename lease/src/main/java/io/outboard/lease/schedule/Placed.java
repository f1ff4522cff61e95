// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Lease;
import java.time.Instant;
import java.util.Optional;

/**
 * A lease that has devices, with their places in a fleet.
 *
 * @param places those that are there
 * @param end when it is to end
 */
record Placed(Lease lease, int[] places, Instant end) {
  static Placed of(Fleet fleet, Lease lease, Instant end) {
    int[] places =
        lease.gpus().stream()
            .map(fleet::place)
            .flatMap(Optional::stream)
            .mapToInt(place -> place)
            .toArray();
    return new Placed(lease, places, end);
  }

  boolean has(int[] others) {
    for (int place : places) {
      for (int other : others) {
        if (place == other) {
          return true;
        }
      }
    }
    return false;
  }
}
