// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import io.outboard.api.audit.AuditLog;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.pool.Pool;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Figures in the text format of Prometheus (exposition formats, 0.0.4). No label has more values
 * than there are devices, states or kinds of answers.
 */
public final class Metrics {
  /** The media type. */
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final int HUNDRED = 100;
  private static final int SHARE_PLACES = 3;
  private static final double MILLIS = 1_000;

  private final Pool pool;
  private final Node node;
  private final AuditLog audit;
  private final Map<String, AtomicLong> answered = new ConcurrentSkipListMap<>();

  public Metrics(Pool pool, Node node, AuditLog audit) {
    this.pool = pool;
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
    StringBuilder out = new StringBuilder();
    family(out, "outboard_info", "gauge", "Which program this is.");
    sample(out, "outboard_info", Map.of("version", node.version()), 1);
    single(
        out,
        "outboard_start_time_seconds",
        "gauge",
        "When the backend began, since 1970.",
        node.since().toEpochMilli() / MILLIS);
    List<Form> devices = pool.ask("devices", new Form());
    devices(out, devices);
    states(out, devices);
    leases(out, pool.ask("leases", new Form()));
    single(
        out,
        "outboard_sessions",
        "gauge",
        "Programs that use the node now.",
        pool.ask("sessions", new Form()).size());
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
    family(out, "outboard_api_requests_total", "counter", "Requests answered by the interface.");
    answered.forEach(
        (kind, count) ->
            sample(out, "outboard_api_requests_total", Map.of("status", kind), count.get()));
    return out.toString();
  }

  private static void devices(StringBuilder out, List<Form> devices) {
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
  private static void states(StringBuilder out, List<Form> devices) {
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
      StringBuilder out,
      String figure,
      String kind,
      String help,
      List<Form> devices,
      String name,
      int places) {
    String family = "outboard_gpu_" + figure;
    family(out, family, kind, help);
    for (Form device : devices) {
      if (!device.get(name).isEmpty()) {
        BigDecimal value = BigDecimal.valueOf(device.number(name, 0), places);
        sample(out, family, Map.of("gpu", device.get("number")), value);
      }
    }
  }

  /** Reads one figure of a device. */
  @FunctionalInterface
  private interface Figure {
    Number of(Form device);
  }

  private static void perDevice(
      StringBuilder out,
      String name,
      String help,
      List<Form> devices,
      Figure figure,
      boolean described) {
    family(out, name, "gauge", help);
    for (Form device : devices) {
      Map<String, String> labels = new TreeMap<>(Map.of("gpu", device.get("number")));
      if (described) {
        labels.put("uuid", device.get("uuid"));
        labels.put("model", device.get("model"));
      }
      sample(out, name, labels, figure.of(device));
    }
  }

  private static void leases(StringBuilder out, List<Form> leases) {
    family(out, "outboard_leases", "gauge", "Leases that are not over, by their state.");
    for (String state : states(false)) {
      long count = leases.stream().filter(lease -> lease.get("state").equals(state)).count();
      sample(out, "outboard_leases", Map.of("state", state), count);
    }
  }

  private static List<String> states(boolean ends) {
    return Arrays.stream(LeaseState.values())
        .filter(state -> state.isEnd() == ends)
        .map(LeaseState::label)
        .toList();
  }

  private static void totals(StringBuilder out, Form figures) {
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
    family(out, "outboard_leases_ended_total", "counter", "Leases that ended, and how.");
    for (String end : states(true)) {
      sample(out, "outboard_leases_ended_total", Map.of("how", end), figures.number(end, 0));
    }
  }

  private static void single(
      StringBuilder out, String name, String kind, String help, Number value) {
    family(out, name, kind, help);
    sample(out, name, Map.of(), value);
  }

  private static void family(StringBuilder out, String name, String kind, String help) {
    out.append("# HELP %s %s\n# TYPE %s %s\n".formatted(name, help, name, kind));
  }

  private static void sample(
      StringBuilder out, String name, Map<String, String> labels, Number value) {
    String list =
        labels.entrySet().stream()
            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
            .collect(Collectors.joining(",", "{", "}"));
    out.append(name).append(labels.isEmpty() ? "" : list).append(' ').append(value).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
