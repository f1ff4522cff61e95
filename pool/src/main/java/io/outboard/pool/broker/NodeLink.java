// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.node.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts of a node that are known while this process lives. Its own monitor guards the version
 * of its orders, for which others wait; the rest is guarded by the broker's.
 */
final class NodeLink {
  private final Map<String, NodeReport.Held> held = new HashMap<>();
  // By the leases' ids: the version of the orders from which on the node is not to have them.
  private final Map<String, Long> ending = new HashMap<>();
  // Its last words on the present state of its devices, by their UUIDs.
  private Map<String, Map<String, Long>> figures = Map.of();
  private List<String> endpoints = List.of();
  private Instant reported = Instant.EPOCH;
  private long term;
  private boolean others;
  private long version = 1;

  /** Its orders are others now. */
  synchronized void change() {
    version++;
    notifyAll();
  }

  synchronized long version() {
    return version;
  }

  /** Waits until the orders are others than these, or so long. */
  synchronized void awaitOther(long known, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      for (long left = patience.toMillis(); version == known && left > 0; ) {
        wait(left);
        left = (end - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@code unknown} is whether it has leases that the broker does not know. */
  void reported(NodeReport report, Instant now, boolean unknown) {
    reported = now;
    others = unknown;
    term = report.term();
    endpoints = report.endpoints();
    figures = report.figures();
    held.clear();
    report.held().forEach(one -> held.put(one.id(), one));
  }

  Instant reported() {
    return reported;
  }

  /** Whether it had leases that the broker does not know, when it reported last. */
  boolean hasOthers() {
    return others;
  }

  /** The term of the broker that it has obeyed last. */
  long term() {
    return term;
  }

  List<String> endpoints() {
    return endpoints;
  }

  /** Its last words on the present state of a device. */
  Map<String, Long> figures(String uuid) {
    return figures.getOrDefault(uuid, Map.of());
  }

  /** All leases that it has. */
  Collection<NodeReport.Held> held() {
    return held.values();
  }

  /** A lease as the node has it, of that grant. */
  Optional<NodeReport.Held> held(String id, long epoch) {
    return Optional.ofNullable(held.get(id)).filter(one -> one.epoch() == epoch);
  }

  /** The node is not to have a lease any more. */
  void ends(String id) {
    ending.putIfAbsent(id, version() + 1);
  }

  /** From which version of the orders on it is not to have it: from the first one, if not later. */
  long endsWith(String id) {
    return ending.getOrDefault(id, 1L);
  }

  void over(String id) {
    ending.remove(id);
    held.remove(id);
  }
}
