// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import io.outboard.lease.Lease;
import java.time.Instant;
import java.util.List;

/**
 * All that a node is to have, as a broker wants it: it is to have nothing else.
 *
 * @param term of the broker; a node obeys none of an earlier term than one that it has obeyed
 * @param version of these orders; later ones of a term have higher ones
 * @param orders one a lease
 * @param now by the broker's clock, by which leases end; {@link Instant#EPOCH} where it does not
 *     say
 */
public record NodeOrders(long term, long version, List<Order> orders, Instant now) {
  /** Copies the list. */
  public NodeOrders {
    orders = List.copyOf(orders);
  }

  /** Those of a broker that does not say what its clock is. */
  public NodeOrders(long term, long version, List<Order> orders) {
    this(term, version, orders, Instant.EPOCH);
  }

  /** The deed that a lease wants of the node. */
  public enum Action {
    /** It has its devices, for as long as it says. */
    HOLD,
    /** What its programs have on its devices is put aside, until it has them again. */
    SUSPEND,
    /** The same where its programs can be: else it goes on, and the node says why. */
    PAUSE,
    /** No new program begins; it ends with the last one. */
    DRAIN,
    /** It ends, and its programs with it. */
    END
  }

  /**
   * A node's task about a lease.
   *
   * @param lease with its devices of that node alone; for an end, with the state that it ends in
   * @param others the parts of other nodes, in the order of their devices, where programs of the
   *     lease connect to this node; none at the other nodes of a lease
   */
  public record Order(Action action, Lease lease, List<LeasePart> others) {
    /** Copies the list. */
    public Order {
      others = List.copyOf(others);
    }

    /** That of a lease which programs use on this node alone. */
    public Order(Action action, Lease lease) {
      this(action, lease, List.of());
    }
  }
}
