// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import io.outboard.lease.Gpu;
import java.util.List;

/**
 * A node of a pool.
 *
 * @param name by which the pool names it
 * @param joined whether it has joined; one that has not is invited
 * @param endpoints where programs connect to, as it has said last
 * @param gpus its devices, as it has said last
 */
public record PoolNode(String name, boolean joined, List<String> endpoints, List<Gpu> gpus) {
  /** Copies the lists. */
  public PoolNode {
    endpoints = List.copyOf(endpoints);
    gpus = List.copyOf(gpus);
  }
}
