// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import io.outboard.api.console.Samples;
import io.outboard.lease.Lease;
import io.outboard.lease.service.LeaseUse;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.LeaseWork;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** Figures of each lease that has GPUs; counters begin with its grant or with this process. */
final class LeaseFigures {
  private static final int SHARE_PLACES = 3;
  private static final int NANO_PLACES = 9;
  private static final int MILLI_PLACES = 3;
  private static final double MILLIS = 1_000;

  private final Pool pool;
  private final Samples samples;

  LeaseFigures(Pool pool, Samples samples) {
    this.pool = pool;
    this.samples = samples;
  }

  /** Writes those of the oldest ones, and how many are left out. */
  void write(Figures out, List<Lease> alive) {
    List<Lease> all =
        alive.stream()
            .filter(lease -> lease.state().holds() && !lease.request().isCommon())
            .toList();
    List<Lease> leases = all.stream().limit(Metrics.MOST_LEASES).toList();
    out.family(
        "outboard_lease_series_left_out",
        "gauge",
        "Leases with GPUs that have no figures of their own, as there are too many.");
    out.sample(Map.of(), all.size() - leases.size());
    info(out, leases);
    each(
        out,
        "share",
        "gauge",
        "Share of each of its GPUs, 0 to 1.",
        leases,
        lease -> Optional.of(BigDecimal.valueOf(lease.request().share(), SHARE_PLACES)));
    uses(out, leases);
    each(
        out,
        "idle_seconds",
        "gauge",
        "For how long nothing has been done with it; 0 while it is suspended.",
        leases,
        lease -> Optional.of(idle(lease)));
    work(out, leases);
  }

  private void uses(Figures out, List<Lease> leases) {
    Map<String, LeaseUse> uses = new TreeMap<>();
    leases.forEach(lease -> uses.put(lease.id(), pool.leases().use(lease)));
    each(
        out,
        "sessions",
        "gauge",
        "Programs that use it.",
        leases,
        lease -> Optional.of(uses.get(lease.id()).sessions()));
    each(
        out,
        "sessions_away",
        "gauge",
        "Of these, those that have lost their connection and may come back.",
        leases,
        lease -> Optional.of(uses.get(lease.id()).away()));
  }

  private void work(Figures out, List<Lease> leases) {
    each(
        out,
        "received_bytes_total",
        "counter",
        "Bytes that came from its programs.",
        leases,
        lease -> Optional.of(samples.work(lease).bytesIn()));
    each(
        out,
        "sent_bytes_total",
        "counter",
        "Bytes that went to its programs.",
        leases,
        lease -> Optional.of(samples.work(lease).bytesOut()));
    each(
        out,
        "busy_seconds_total",
        "counter",
        "Time in which its GPUs had work of it, together, where that is measured.",
        leases,
        lease -> known(samples.work(lease), LeaseWork::busy, NANO_PLACES));
    each(
        out,
        "energy_joules_total",
        "counter",
        "Energy of its GPUs on its account, where that is measured.",
        leases,
        lease -> known(samples.work(lease), LeaseWork::energy, MILLI_PLACES));
  }

  private static Optional<Number> known(
      LeaseWork work, Function<LeaseWork, OptionalLong> figure, int places) {
    OptionalLong value = figure.apply(work);
    return value.isPresent()
        ? Optional.of(BigDecimal.valueOf(value.getAsLong(), places))
        : Optional.empty();
  }

  private Number idle(Lease lease) {
    return lease.state().isSuspended()
        ? 0
        : Math.max(0, System.currentTimeMillis() - samples.idleSince(lease).toEpochMilli())
            / MILLIS;
  }

  private static void info(Figures out, List<Lease> leases) {
    out.family("outboard_lease_info", "gauge", "Each lease that has GPUs, with how many.");
    for (Lease lease : leases) {
      Map<String, String> labels = labels(lease);
      labels.put("state", lease.state().label());
      labels.put("class", lease.request().service().label());
      labels.put("model", lease.gpus().isEmpty() ? "" : lease.gpus().getFirst().model());
      out.sample(labels, lease.gpus().size());
    }
  }

  private static Map<String, String> labels(Lease lease) {
    return new TreeMap<>(Map.of("lease", lease.id(), "tenant", lease.tenant()));
  }

  private static void each(
      Figures out,
      String figure,
      String kind,
      String help,
      List<Lease> leases,
      Function<Lease, Optional<Number>> value) {
    String family = "outboard_lease_" + figure;
    out.family(family, kind, help);
    leases.forEach(
        lease -> value.apply(lease).ifPresent(number -> out.sample(labels(lease), number)));
  }
}
