// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.List;
import java.util.Optional;

/**
 * Some leases, in the order of their cursors.
 *
 * @param leases in their order
 * @param next where the next page begins; none where there are no more
 */
public record LeasePage(List<Lease> leases, Optional<LeaseCursor> next) {
  /** Copies the list. */
  public LeasePage {
    leases = List.copyOf(leases);
  }

  /**
   * The first ones of some leases.
   *
   * @param found in their order, one more than are wanted where there are more
   */
  public static LeasePage of(List<Lease> found, int most) {
    if (found.size() <= most) {
      return new LeasePage(found, Optional.empty());
    }
    List<Lease> page = found.subList(0, most);
    return new LeasePage(page, Optional.of(LeaseCursor.of(page.getLast())));
  }
}
