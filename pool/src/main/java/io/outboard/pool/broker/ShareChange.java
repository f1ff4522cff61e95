// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import java.util.Map;

/**
 * Another share that a lease of other nodes' devices is to have.
 *
 * @param before the share that it has, in thousandths
 * @param wanted the one that it is to have
 * @param since by the names of its nodes, the versions of the orders that say so
 */
record ShareChange(int before, int wanted, Map<String, Long> since) {
  ShareChange {
    since = Map.copyOf(since);
  }
}
