// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.ServiceClass;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Those that wait, in the order in which devices are offered to them: better classes first, then
 * those whose date has come, then higher priorities, then those that are to be granted sooner;
 * among equals the tenant that has had least of late, what it has now counting for an hour; then
 * who came first. Each grant changes the order.
 */
final class Queue {
  /** What a tenant has counts as if it had had it for so long. */
  private static final double HELD_SECONDS = 3_600;

  private static final Comparator<Lease> FIRST =
      Comparator.<Lease, ServiceClass>comparing(lease -> lease.request().service())
          .thenComparing(lease -> !Queue.hasDate(lease))
          .thenComparing(lease -> -lease.request().priority())
          .thenComparing(lease -> lease.due().orElse(Instant.MAX));

  private static final Comparator<Lease> CAME =
      Comparator.<Lease, Instant>comparing(lease -> lease.requested()).thenComparing(Lease::id);

  private final Map<String, Deque<Lease>> tenants = new HashMap<>();
  private final Map<String, Double> had = new HashMap<>();
  private final Comparator<Lease> order =
      FIRST.thenComparingDouble(lease -> had.getOrDefault(lease.tenant(), 0.0)).thenComparing(CAME);

  Queue(List<Lease> holding, List<Lease> waiting, Map<String, Double> past) {
    had.putAll(past);
    holding.forEach(lease -> has(lease.request(), lease.gpus().size()));
    List<Lease> sorted = new ArrayList<>(waiting);
    sorted.sort(FIRST.thenComparing(CAME));
    sorted.forEach(
        lease -> tenants.computeIfAbsent(lease.tenant(), _ -> new ArrayDeque<>()).add(lease));
  }

  private static boolean hasDate(Lease lease) {
    return lease.request().begin().toEpochMilli() > 0;
  }

  /** A tenant has so many devices more. */
  void has(LeaseRequest request, int devices) {
    double share = (double) request.share() * devices / LeaseRequest.WHOLE;
    had.merge(request.tenant(), share * HELD_SECONDS, Double::sum);
  }

  /** Takes the next one. */
  Optional<Lease> next() {
    Optional<Lease> first = tenants.values().stream().map(Deque::getFirst).min(order);
    first.ifPresent(this::remove);
    return first;
  }

  private void remove(Lease lease) {
    Deque<Lease> its = tenants.get(lease.tenant());
    its.removeFirst();
    if (its.isEmpty()) {
      tenants.remove(lease.tenant());
    }
  }
}
