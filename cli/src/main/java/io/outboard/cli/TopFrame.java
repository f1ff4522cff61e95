// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.api.Json;
import io.outboard.pool.Form;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What {@code top} shows: a backend now, and what it has done since a moment before. */
final class TopFrame {
  private static final String DEVICE = "%-3s %-36s %8s %6s %12s %12s";
  private static final String LEASE = "%-13s %-12s %-10s %4s %6s %8s  %s";
  private static final String SESSION = "%-13s %-12s %-40s %12s %10s %10s %10s";
  // The name of a program is what stands behind the last slash.
  private static final Pattern FOLDERS = Pattern.compile("^\\S*/");
  private static final double SECOND = 1e9;
  private static final double MICRO = 1e3;
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
        "%d GPUs, %d leases, %d waiting, %d sessions, %.0f functions a second"
            .formatted(
                now.devices().size(),
                now.leases().size(),
                now.waiting(),
                now.sessions().size(),
                rate(now.totals(), before.totals(), "calls")));
    lines.add("");
    lines.add(DEVICE.formatted("GPU", "model", "memory", "share", "leased", "leases"));
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
    return DEVICE.formatted(
        device.get("number"),
        device.get("model"),
        Quantities.size(device.number("memory", 0)),
        Quantities.share(device.number("share", 0)),
        Quantities.size(device.number("leasedMemory", 0)),
        device.number("leases", 0) + device.number("common", 0));
  }

  private static String lease(LeaseRow lease) {
    Form form = lease.form();
    long expires = form.number("expires", 0);
    return LEASE.formatted(
        lease.id(),
        form.get("tenant"),
        lease.state(),
        form.get("gpus"),
        form.number("share", 0) == 0 ? "-" : Quantities.share(form.number("share", 0)),
        form.get("sessions"),
        expires == 0 ? "-" : LeaseRow.time(expires));
  }

  private String session(Form session) {
    double latency = latency(session);
    return SESSION.formatted(
        session.get("lease"),
        session.get("tenant"),
        FOLDERS.matcher(session.get("client")).replaceFirst(""),
        "%.0f".formatted(rate(session, "calls")),
        Double.isNaN(latency) ? "-" : "%.1f".formatted(latency),
        "%.1f".formatted(rate(session, "bytesIn") / MIB),
        "%.1f".formatted(rate(session, "bytesOut") / MIB));
  }

  /** An object of JSON, on one line. */
  String json() {
    SequencedMap<String, Object> frame = new LinkedHashMap<>();
    frame.put("seconds", number(seconds()));
    frame.put("functionsPerSecond", number(rate(now.totals(), before.totals(), "calls")));
    frame.put("devices", now.devices().stream().map(TopFrame::deviceJson).toList());
    frame.put(
        "leases",
        now.leases().stream().map(lease -> Json.read(new LeaseRow(lease).json())).toList());
    frame.put("sessions", now.sessions().stream().map(this::sessionJson).toList());
    return Json.write(frame);
  }

  private static Map<String, Object> deviceJson(Form device) {
    SequencedMap<String, Object> json = new LinkedHashMap<>();
    json.put("number", device.number("number", 0));
    json.put("uuid", device.get("uuid"));
    json.put("model", device.get("model"));
    json.put("memory", device.number("memory", 0));
    json.put("share", BigDecimal.valueOf(device.number("share", 0), 3));
    json.put("leasedMemory", device.number("leasedMemory", 0));
    json.put("leases", device.number("leases", 0));
    json.put("common", device.number("common", 0));
    return json;
  }

  private Map<String, Object> sessionJson(Form session) {
    SequencedMap<String, Object> json = new LinkedHashMap<>();
    json.put("lease", session.get("lease"));
    json.put("tenant", session.get("tenant"));
    json.put("client", session.get("client"));
    json.put("calls", session.number("calls", 0));
    json.put("functionsPerSecond", number(rate(session, "calls")));
    json.put("microsecondsPerCall", number(latency(session)));
    json.put("bytesInPerSecond", number(rate(session, "bytesIn")));
    json.put("bytesOutPerSecond", number(rate(session, "bytesOut")));
    return json;
  }

  private static BigDecimal number(double value) {
    return Double.isNaN(value) ? null : BigDecimal.valueOf(Math.round(value * 1_000), 3);
  }
}
