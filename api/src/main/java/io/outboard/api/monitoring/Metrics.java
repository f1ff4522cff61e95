// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import io.outboard.api.audit.AuditLog;
import io.outboard.api.console.Samples;
import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseState;
import io.outboard.pool.Pool;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The figures of a pool, for Prometheus (exposition formats, 0.0.4) and others. No label has more
 * values than there are devices, nodes, states or kinds of answers; of leases that have GPUs the
 * {@link #MOST_LEASES} oldest have figures of their own.
 */
public final class Metrics {
  /** The media type. */
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Leases with figures of their own. */
  public static final int MOST_LEASES = 2_000;

  private static final int HUNDRED = 100;
  private static final int SHARE_PLACES = 3;
  private static final double MILLIS = 1_000;

  private final Pool pool;
  private final Node node;
  private final AuditLog audit;
  private final LeaseFigures leaseFigures;
  private final Map<String, AtomicLong> answered = new ConcurrentSkipListMap<>();

  public Metrics(Pool pool, Node node, AuditLog audit, Samples samples) {
    this.pool = pool;
    this.leaseFigures = new LeaseFigures(pool, samples);
    this.node = node;
    this.audit = audit;
  }

  /** A request was answered. */
  public void answered(int status) {
    String kind = status / HUNDRED + "xx";
    answered.computeIfAbsent(kind, _ -> new AtomicLong()).incrementAndGet();
  }

  /** The figures as they are now. */
  public String text() throws LeaseException {
    PrometheusText text = new PrometheusText();
    write(text);
    return text.toString();
  }

  /** Writes the figures as they are now. */
  public void write(Figures out) throws LeaseException {
    out.family("outboard_info", "gauge", "Which program this is.");
    out.sample(Map.of("version", node.version()), 1);
    single(
        out,
        "outboard_start_time_seconds",
        "gauge",
        "When the backend began, since 1970.",
        node.since().toEpochMilli() / MILLIS);
    List<Form> devices = pool.ask("devices", new Form());
    devices(out, devices);
    states(out, devices);
    List<Lease> leases = pool.leases().page(LeaseQuery.LIVING).leases();
    leases(out, leases);
    queue(out, leases);
    leaseFigures.write(out, leases);
    nodes(out, pool.ask("nodes", new Form()));
    sessions(out, pool.ask("sessions", new Form()));
    totals(out, pool.ask("figures", new Form()).getFirst());
    single(
        out,
        "outboard_audit_writable",
        "gauge",
        "0 where the audit log cannot be written, as on a full disk.",
        audit.works() ? 1 : 0);
    single(
        out,
        "outboard_audit_lost_lines_total",
        "counter",
        "Lines of the audit log that could not be written.",
        audit.lost());
    out.family("outboard_api_requests_total", "counter", "Requests answered by the interface.");
    answered.forEach((kind, count) -> out.sample(Map.of("status", kind), count.get()));
  }

  private static void devices(Figures out, List<Form> devices) {
    perDevice(out, "outboard_gpu_info", "Each GPU, by its number.", devices, device -> 1, true);
    perDevice(
        out,
        "outboard_gpu_failed",
        "1 where the GPU has failed and is given to nobody.",
        devices,
        device -> device.get("failed").isEmpty() ? 0 : 1,
        false);
    perDevice(
        out,
        "outboard_gpu_memory_bytes",
        "Memory of the GPU.",
        devices,
        device -> device.number("memory", 0),
        false);
    perDevice(
        out,
        "outboard_gpu_leased_memory_bytes",
        "Memory that leases have.",
        devices,
        device -> device.number("leasedMemory", 0),
        false);
    perDevice(
        out,
        "outboard_gpu_leased_share",
        "Share that leases have, 0 to 1.",
        devices,
        device -> BigDecimal.valueOf(device.number("share", 0), SHARE_PLACES),
        false);
    perDevice(
        out,
        "outboard_gpu_leases",
        "Leases that have a part of the GPU.",
        devices,
        device -> device.number("leases", 0),
        false);
    perDevice(
        out,
        "outboard_gpu_sessions_without_lease",
        "Sessions without a lease that have it.",
        devices,
        device -> device.number("common", 0),
        false);
  }

  /** Device states as drivers report them; a device whose driver reports none has no sample. */
  private static void states(Figures out, List<Form> devices) {
    known(
        out,
        "utilization_ratio",
        "gauge",
        "Part of late in which a kernel ran.",
        devices,
        "utilization",
        2);
    known(
        out, "memory_used_bytes", "gauge", "Memory in use, by whomever.", devices, "memoryUsed", 0);
    known(
        out,
        "memory_total_bytes",
        "gauge",
        "Memory as the driver counts it.",
        devices,
        "memoryTotal",
        0);
    known(
        out, "temperature_celsius", "gauge", "Temperature of the GPU.", devices, "temperature", 0);
    known(out, "power_watts", "gauge", "Power that the GPU takes.", devices, "power", 3);
    known(out, "busy_seconds_total", "counter", "Time in which a kernel ran.", devices, "busy", 3);
  }

  private static void known(
      Figures out,
      String figure,
      String kind,
      String help,
      List<Form> devices,
      String name,
      int places) {
    String family = "outboard_gpu_" + figure;
    out.family(family, kind, help);
    for (Form device : devices) {
      if (!device.get(name).isEmpty()) {
        BigDecimal value = BigDecimal.valueOf(device.number(name, 0), places);
        out.sample(labels(device), value);
      }
    }
  }

  /** Reads one figure of a device. */
  @FunctionalInterface
  private interface Figure {
    Number of(Form device);
  }

  /** Several nodes have a GPU of each number. */
  private static Map<String, String> labels(Form device) {
    Map<String, String> labels = new TreeMap<>(Map.of("gpu", device.get("number")));
    if (!device.get("node").isEmpty()) {
      labels.put("node", device.get("node"));
    }
    return labels;
  }

  private static void perDevice(
      Figures out, String name, String help, List<Form> devices, Figure figure, boolean described) {
    out.family(name, "gauge", help);
    for (Form device : devices) {
      Map<String, String> labels = labels(device);
      if (described) {
        labels.put("uuid", device.get("uuid"));
        labels.put("model", device.get("model"));
      }
      out.sample(labels, figure.of(device));
    }
  }

  private static void sessions(Figures out, List<Form> sessions) {
    single(out, "outboard_sessions", "gauge", "Programs that use the node now.", sessions.size());
    single(
        out,
        "outboard_sessions_away",
        "gauge",
        "Of these, those that have lost their connection and may come back.",
        sessions.stream().filter(session -> session.number("awaySince", 0) != 0).count());
  }

  private static void queue(Figures out, List<Lease> leases) {
    long now = System.currentTimeMillis();
    long oldest =
        leases.stream()
            .filter(lease -> lease.state() == LeaseState.REQUESTED)
            .filter(lease -> lease.request().begin().toEpochMilli() <= now)
            .mapToLong(lease -> lease.requested().toEpochMilli())
            .min()
            .orElse(now);
    single(
        out,
        "outboard_queue_oldest_seconds",
        "gauge",
        "For how long the lease has waited that has waited for longest; 0 where none does.",
        Math.max(0, now - oldest) / MILLIS);
  }

  private static void nodes(Figures out, List<Form> nodes) {
    long now = System.currentTimeMillis();
    out.family(
        "outboard_node_report_age_seconds",
        "gauge",
        "How long ago a node of the pool has reported; none before its first report.");
    for (Form node : nodes) {
      if (node.number("reported", 0) != 0) {
        out.sample(
            Map.of("node", node.get("node")),
            Math.max(0, now - node.number("reported", 0)) / MILLIS);
      }
    }
  }

  private static void leases(Figures out, List<Lease> leases) {
    out.family("outboard_leases", "gauge", "Leases that are not over, by their state.");
    for (String state : states(false)) {
      long count = leases.stream().filter(lease -> lease.state().label().equals(state)).count();
      out.sample(Map.of("state", state), count);
    }
  }

  private static List<String> states(boolean ends) {
    return Arrays.stream(LeaseState.values())
        .filter(state -> state.isEnd() == ends)
        .map(LeaseState::label)
        .toList();
  }

  private static void totals(Figures out, Form figures) {
    single(
        out,
        "outboard_calls_total",
        "counter",
        "Calls that programs made.",
        figures.number("calls", 0));
    single(
        out,
        "outboard_received_bytes_total",
        "counter",
        "Bytes that came from programs.",
        figures.number("bytesIn", 0));
    single(
        out,
        "outboard_sent_bytes_total",
        "counter",
        "Bytes that went to programs.",
        figures.number("bytesOut", 0));
    single(
        out,
        "outboard_leases_granted_total",
        "counter",
        "Leases that were granted.",
        figures.number("granted", 0));
    single(
        out,
        "outboard_leases_waited_seconds_total",
        "counter",
        "For how long those leases had waited, together.",
        figures.number("waited", 0) / MILLIS);
    single(
        out,
        "outboard_leases_refused_total",
        "counter",
        "Requests for leases that were refused.",
        figures.number("refused", 0));
    single(
        out,
        "outboard_links_lost_total",
        "counter",
        "Connections that programs lost, whose sessions may go on.",
        figures.number("linksLost", 0));
    single(
        out,
        "outboard_links_resumed_total",
        "counter",
        "Of these, those whose programs came back.",
        figures.number("linksResumed", 0));
    out.family("outboard_leases_ended_total", "counter", "Leases that ended, and how.");
    for (String end : states(true)) {
      out.sample(Map.of("how", end), figures.number(end, 0));
    }
  }

  private static void single(Figures out, String name, String kind, String help, Number value) {
    out.family(name, kind, help);
    out.sample(Map.of(), value);
  }
}
