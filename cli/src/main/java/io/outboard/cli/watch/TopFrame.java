// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import io.outboard.api.json.Ordered;
import io.outboard.backend.system.Count;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.pool.lease.Form;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What {@code top} shows: a backend now, and what it has done since a moment before. */
final class TopFrame {
  private static final String DEVICE = "%-3s %-36s %8s %6s %12s %7s %6s %10s %6s %7s";
  private static final String LEASE = "%-13s %-12s %-10s %4s %6s %8s  %s";
  private static final String SESSION = "%-13s %-12s %-40s %12s %10s %10s %10s";
  // The name of a program is what stands behind the last slash.
  private static final Pattern FOLDERS = Pattern.compile("^\\S*/");
  private static final double SECOND = 1e9;
  private static final double MICRO = 1e3;
  private static final long MILLI = 1_000;
  private static final double MIB = 1 << 20;

  private final Snapshot before;
  private final Snapshot now;
  private final Map<String, Form> earlier;

  TopFrame(Snapshot before, Snapshot now) {
    this.before = before;
    this.now = now;
    this.earlier =
        before.sessions().stream()
            .collect(Collectors.toMap(TopFrame::key, Function.identity(), (one, _) -> one));
  }

  private static String key(Form session) {
    return session.get("lease") + " " + session.get("client");
  }

  private double seconds() {
    return (now.nanos() - before.nanos()) / SECOND;
  }

  private double rate(Form then, Form since, String name) {
    return Math.max(0, then.number(name, 0) - since.number(name, 0)) / seconds();
  }

  private double rate(Form session, String name) {
    return rate(session, earlier.getOrDefault(key(session), new Form()), name);
  }

  /** Microseconds that a call takes in the worker, NaN where none was measured. */
  private double latency(Form session) {
    Form since = earlier.getOrDefault(key(session), new Form());
    long calls = session.number("timedCalls", 0) - since.number("timedCalls", 0);
    long nanos = session.number("timedNanos", 0) - since.number("timedNanos", 0);
    return calls > 0 ? nanos / MICRO / calls : Double.NaN;
  }

  /** Lines of text. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s, %s, %d waiting, %s, %.0f functions a second"
            .formatted(
                Count.of(now.devices().size(), "GPU"),
                Count.of(now.leases().size(), "lease"),
                now.waiting(),
                Count.of(now.sessions().size(), "session"),
                rate(now.totals(), before.totals(), "calls")));
    lines.add("");
    lines.add(
        DEVICE.formatted(
            "GPU", "model", "memory", "share", "leased", "leases", "busy", "used", "temp",
            "power"));
    now.devices().forEach(device -> lines.add(device(device)));
    lines.add("");
    lines.add(LEASE.formatted("lease", "tenant", "state", "GPUs", "share", "sessions", "until"));
    now.leases().forEach(lease -> lines.add(lease(new LeaseRow(lease))));
    lines.add("");
    lines.add(
        SESSION.formatted(
            "session of", "tenant", "program", "functions/s", "µs each", "MiB/s in", "MiB/s out"));
    now.sessions().forEach(session -> lines.add(session(session)));
    return lines;
  }

  private static String device(Form device) {
    String line =
        DEVICE.formatted(
            device.get("number"),
            device.get("model"),
            Quantities.size(device.number("memory", 0)),
            Quantities.share(device.number("share", 0)),
            Quantities.size(device.number("leasedMemory", 0)),
            device.number("leases", 0) + device.number("common", 0),
            known(device, "utilization", "%d %%", 1),
            device.get("memoryUsed").isEmpty()
                ? "-"
                : Quantities.size(device.number("memoryUsed", 0)),
            known(device, "temperature", "%d °C", 1),
            known(device, "power", "%d W", MILLI));
    String failed = device.get("failed");
    return failed.isEmpty() ? line : line + "  failed: " + failed;
  }

  /** A figure that the device's driver may not say. */
  private static String known(Form device, String name, String format, long unit) {
    return device.get(name).isEmpty() ? "-" : format.formatted(device.number(name, 0) / unit);
  }

  private static String lease(LeaseRow lease) {
    Form form = lease.form();
    return LEASE.formatted(
        lease.id(),
        form.get("tenant"),
        lease.state(),
        form.get("gpus"),
        lease.share(),
        form.get("sessions"),
        lease.until());
  }

  private String session(Form session) {
    double latency = latency(session);
    String line =
        SESSION.formatted(
            session.get("lease"),
            session.get("tenant"),
            FOLDERS.matcher(session.get("client")).replaceFirst(""),
            "%.0f".formatted(rate(session, "calls")),
            Double.isNaN(latency) ? "-" : "%.1f".formatted(latency),
            "%.1f".formatted(rate(session, "bytesIn") / MIB),
            "%.1f".formatted(rate(session, "bytesOut") / MIB));
    return line + away(session);
  }

  /** For how long its client has been away, and until when it may be. */
  private static String away(Form session) {
    long since = session.number("awaySince", 0);
    if (since == 0) {
      return "";
    }
    long seconds = Math.max(0, System.currentTimeMillis() - since) / MILLI;
    String until = LeaseRow.time(session.number("awayUntil", 0));
    return "  away for %d s, until %s at the latest".formatted(seconds, until);
  }

  /** An object of JSON. */
  Map<String, Object> json() {
    return Ordered.of(
        "seconds", number(seconds()),
        "functionsPerSecond", number(rate(now.totals(), before.totals(), "calls")),
        "devices", now.devices().stream().map(TopFrame::deviceJson).toList(),
        "leases", now.leases().stream().map(LeaseRow::new).map(LeaseRow::json).toList(),
        "sessions", now.sessions().stream().map(this::sessionJson).toList());
  }

  private static Map<String, Object> deviceJson(Form device) {
    return Ordered.of(
        "number",
        device.number("number", 0),
        "uuid",
        device.get("uuid"),
        "model",
        device.get("model"),
        "arch",
        device.get("arch"),
        "profile",
        device.get("profile"),
        "parent",
        device.get("parent"),
        "memory",
        device.number("memory", 0),
        "share",
        Quantities.decimal(device.number("share", 0)),
        "leasedMemory",
        device.number("leasedMemory", 0),
        "leases",
        device.number("leases", 0),
        "common",
        device.number("common", 0),
        "failed",
        device.get("failed"),
        "cordoned",
        device.get("cordoned"),
        "utilization",
        number(device, "utilization"),
        "memoryUsed",
        number(device, "memoryUsed"),
        "temperature",
        number(device, "temperature"),
        "power",
        number(device, "power"),
        "busy",
        number(device, "busy"));
  }

  /** Null where it is not known. */
  private static Long number(Form device, String name) {
    return device.get(name).isEmpty() ? null : Long.valueOf(device.get(name));
  }

  private Map<String, Object> sessionJson(Form session) {
    return Ordered.of(
        "lease", session.get("lease"),
        "tenant", session.get("tenant"),
        "client", session.get("client"),
        "calls", session.number("calls", 0),
        "functionsPerSecond", number(rate(session, "calls")),
        "microsecondsPerCall", number(latency(session)),
        "bytesInPerSecond", number(rate(session, "bytesIn")),
        "bytesOutPerSecond", number(rate(session, "bytesOut")),
        "awaySince", moment(session, "awaySince"),
        "awayUntil", moment(session, "awayUntil"));
  }

  /** Null where it has not come. */
  private static String moment(Form session, String name) {
    long moment = session.number(name, 0);
    return moment == 0 ? null : LeaseRow.utc(moment);
  }

  private static BigDecimal number(double value) {
    return Double.isNaN(value) ? null : BigDecimal.valueOf(Math.round(value * 1_000), 3);
  }
}
