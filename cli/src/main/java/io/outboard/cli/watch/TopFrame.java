// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import io.outboard.api.json.Ordered;
import io.outboard.backend.system.Count;
import io.outboard.cli.command.Line;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.lease.LeaseRow;
import io.outboard.lease.Form;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What {@code top} shows: a backend now, and what it has done since a moment before. */
final class TopFrame {
  private static final String DEVICE = " %5s %5s %-12s %-15s %5s %5s";
  private static final int GPU = 3;
  private static final int LONGEST_GPU = 12;
  private static final int GPU_AND_MODEL = 26;
  private static final String LEASE = "%-12s %-12s %-9s %4s %6s %4s %s";
  private static final String SESSION = "%-12s %-10s %-20s %9s %7s %8s %8s";
  private static final int NAME = 12;
  private static final int SESSIONS_TENANT = 10;
  private static final int PROGRAM = 20;
  private static final String UNKNOWN = "-";
  private static final String VENDOR = "NVIDIA ";
  private static final double PERCENT = 100;
  private static final Pattern PROCESS = Pattern.compile(" \\(process (\\d+)\\)$");
  // The name of a program is what stands behind the last slash.
  private static final Pattern FOLDERS = Pattern.compile("^\\S*/");
  private static final String WORK = "leasesBusy";
  private static final double SECOND = 1e9;
  private static final double MICRO = 1e3;
  private static final long MILLI = 1_000;
  private static final double MIB = 1 << 20;

  private final Snapshot before;
  private final Snapshot now;
  private final Map<String, Form> earlier;
  private final Sparks sparks;
  private final int gpuWidth;

  TopFrame(Snapshot before, Snapshot now) {
    this(before, now, new Sparks());
  }

  /** One that also shows, and notes, how busy GPUs were before. */
  TopFrame(Snapshot before, Snapshot now, Sparks sparks) {
    this.before = before;
    this.now = now;
    this.sparks = sparks;
    this.gpuWidth =
        now.devices().stream()
            .mapToInt(device -> Math.min(LONGEST_GPU, name(device).length()))
            .max()
            .orElse(GPU);
    now.devices().forEach(this::note);
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
    double seconds = seconds();
    return seconds > 0 ? Math.max(0, then.number(name, 0) - since.number(name, 0)) / seconds : 0;
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

  private void note(Form device) {
    OptionalDouble part = part(device);
    if (part.isPresent()) {
      sparks.add(name(device), now.nanos(), part.getAsDouble());
    }
  }

  /** As commands name it: with its node, of a pool. */
  private static String name(Form device) {
    String node = device.get("node");
    return (node.isEmpty() ? "" : node + "/") + device.get("number");
  }

  private String gpu(String name, String model) {
    int width = Math.max(GPU, gpuWidth);
    String format = "%-" + width + "s %-" + (GPU_AND_MODEL - 1 - width) + "s";
    return format.formatted(
        TopLine.fit(name, width), TopLine.fit(model, GPU_AND_MODEL - 1 - width));
  }

  /** Lines of text, with the sessions in an order. */
  List<TopLine> lines(SessionOrder order) {
    return lines(order, GpuOrder.number, "");
  }

  /**
   * Lines of text, with the sessions and the GPUs in an order.
   *
   * @param filter only what has this in a name of it; empty for all
   */
  List<TopLine> lines(SessionOrder order, GpuOrder gpus, String filter) {
    List<TopLine> lines = new ArrayList<>();
    row(lines, summary());
    row(lines, "");
    heading(
        lines,
        gpu("GPU", "model")
            + DEVICE.formatted("share", "users", "busy", "memory used", "temp", "power"));
    now.devices().stream()
        .filter(device -> has(filter, name(device), device.get("model"), device.get("uuid")))
        .sorted(by(gpus))
        .forEach(device -> addDevice(lines, device));
    now.joined().stream()
        .filter(device -> has(filter, device.get("host"), device.get("model")))
        .forEach(device -> addJoined(lines, device));
    row(lines, "");
    heading(lines, LEASE.formatted("lease", "tenant", "state", "GPUs", "share", "prog", "until"));
    now.leases().stream()
        .filter(
            lease ->
                has(
                    filter,
                    lease.get("id"),
                    lease.get("tenant"),
                    lease.get("consumer"),
                    lease.get("state"),
                    lease.get("nodes")))
        .forEach(lease -> row(lines, lease(new LeaseRow(lease))));
    row(lines, "");
    heading(
        lines,
        SESSION.formatted(
            "session of", "tenant", "program", "calls/s", "µs each", "MiB/s in", "out"));
    now.sessions().stream()
        .filter(
            session ->
                has(filter, session.get("lease"), session.get("tenant"), session.get("client")))
        .sorted(by(order))
        .forEach(session -> addSession(lines, session));
    return lines;
  }

  private static boolean has(String filter, String... texts) {
    String part = filter.toLowerCase(Locale.ROOT);
    return part.isEmpty()
        || Arrays.stream(texts).anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(part));
  }

  /** The largest first; by the number, as the backend lists them. */
  private Comparator<Form> by(GpuOrder order) {
    return switch (order) {
      case number -> (_, _) -> 0;
      case busy -> Comparator.comparingDouble(device -> -part(device).orElse(-1));
      case memory ->
          Comparator.comparingLong(
              device ->
                  -Math.max(device.number("memoryUsed", -1), device.number("leasesMemory", -1)));
      case share -> Comparator.comparingLong(device -> -device.number("share", 0));
    };
  }

  private static void heading(List<TopLine> lines, String text) {
    lines.add(new TopLine(text, Line.Kind.HEADING));
  }

  private static void row(List<TopLine> lines, String text) {
    lines.add(new TopLine(text, Line.Kind.ROW));
  }

  private static void alarm(List<TopLine> lines, String text) {
    lines.add(new TopLine("    " + text, Line.Kind.ALARM));
  }

  private String summary() {
    return "%s, %s, %d waiting, %s, %.0f functions a second"
        .formatted(
            Count.of(now.devices().size(), "GPU"),
            Count.of(now.leases().size(), "lease"),
            now.waiting(),
            Count.of(now.sessions().size(), "session"),
            rate(now.totals(), before.totals(), "calls"));
  }

  /** The busiest first; by a name, in the order of that. */
  private Comparator<Form> by(SessionOrder order) {
    return switch (order) {
      case calls -> Comparator.comparingDouble(session -> -rate(session, "calls"));
      case bytes ->
          Comparator.comparingDouble(
              session -> -rate(session, "bytesIn") - rate(session, "bytesOut"));
      case latency ->
          Comparator.comparingDouble(
              session -> Double.isNaN(latency(session)) ? 0 : -latency(session));
      case tenant -> Comparator.comparing(session -> session.get("tenant"));
      case program -> Comparator.comparing(TopFrame::program);
    };
  }

  /** Its own backend knows what it does. */
  private static void addJoined(List<TopLine> lines, Form device) {
    String model = device.get("model").replaceFirst("^" + VENDOR, "");
    row(lines, "%-3s %s, of %s".formatted(device.get("number"), model, device.get("host")));
  }

  private void addDevice(List<TopLine> lines, Form device) {
    String model = device.get("model").replaceFirst("^" + VENDOR, "");
    row(
        lines,
        gpu(name(device), model)
            + DEVICE.formatted(
                Quantities.share(device.number("share", 0)),
                device.number("leases", 0) + device.number("common", 0),
                busy(device),
                memory(device),
                known(device, "temperature", "%d °C", 1),
                known(device, "power", "%d W", MILLI)));
    if (!device.get("failed").isEmpty()) {
      alarm(lines, "failed: " + device.get("failed"));
    }
    if (!device.get("cordoned").isEmpty()) {
      alarm(lines, "given to nobody: " + device.get("cordoned"));
    }
  }

  /** As its driver says; else how long it had work of leases since the moment before. */
  private OptionalDouble part(Form device) {
    if (!device.get("utilization").isEmpty()) {
      return OptionalDouble.of(device.number("utilization", 0) / PERCENT);
    }
    return isOfLeasesAlone(device) ? work(device) : OptionalDouble.empty();
  }

  /** With the last minute in place of a bar, once something of it is known. */
  private String busy(Form device) {
    OptionalDouble part = part(device);
    if (part.isEmpty()) {
      return UNKNOWN;
    }
    return sparks
        .of(name(device), now.nanos())
        .map(spark -> spark + " %.0f %%".formatted(Math.min(1, part.getAsDouble()) * PERCENT))
        .orElseGet(() -> Bar.percent(part.getAsDouble()));
  }

  /** Otherwise others have and do something there too, which nobody measures. */
  private static boolean isOfLeasesAlone(Form device) {
    return device.number("common", 0) == 0;
  }

  /** The part of the time in which leases had work there, where the backend measures it. */
  private OptionalDouble work(Form device) {
    return before.devices().stream()
        .filter(earlierOne -> earlierOne.get("uuid").equals(device.get("uuid")))
        .filter(earlierOne -> earlierOne.get("node").equals(device.get("node")))
        .filter(earlierOne -> !device.get(WORK).isEmpty() && !earlierOne.get(WORK).isEmpty())
        .mapToDouble(earlierOne -> rate(device, earlierOne, WORK) / SECOND)
        .findFirst();
  }

  /** As its driver says; else what programs of leases have. */
  private static String memory(Form device) {
    String said = device.get("memoryUsed");
    String leases = isOfLeasesAlone(device) ? device.get("leasesMemory") : "";
    String used = said.isEmpty() ? leases : said;
    if (used.isEmpty()) {
      return UNKNOWN;
    }
    long bytes = Long.parseLong(used);
    return Bar.of((double) bytes / device.number("memory", 1), Quantities.size(bytes));
  }

  /** A figure that the device's driver may not say. */
  private static String known(Form device, String name, String format, long unit) {
    return device.get(name).isEmpty() ? UNKNOWN : format.formatted(device.number(name, 0) / unit);
  }

  private static String lease(LeaseRow lease) {
    Form form = lease.form();
    return LEASE.formatted(
        lease.id(),
        TopLine.fit(form.get("tenant"), NAME),
        lease.state(),
        form.get("gpus"),
        lease.share(),
        form.get("sessions"),
        lease.until());
  }

  private static String program(Form session) {
    String name = FOLDERS.matcher(session.get("client")).replaceFirst("");
    return PROCESS.matcher(name).replaceFirst(" $1");
  }

  private void addSession(List<TopLine> lines, Form session) {
    double latency = latency(session);
    row(
        lines,
        SESSION.formatted(
            session.get("lease"),
            TopLine.fit(session.get("tenant"), SESSIONS_TENANT),
            TopLine.fit(program(session), PROGRAM),
            "%.0f".formatted(rate(session, "calls")),
            Double.isNaN(latency) ? UNKNOWN : "%.1f".formatted(latency),
            "%.1f".formatted(rate(session, "bytesIn") / MIB),
            "%.1f".formatted(rate(session, "bytesOut") / MIB)));
    if (session.number("awaySince", 0) != 0) {
      alarm(lines, away(session));
    }
  }

  /** For how long its client has been away, and until when it may be. */
  private static String away(Form session) {
    long away = System.currentTimeMillis() - session.number("awaySince", 0);
    String until = LeaseRow.time(session.number("awayUntil", 0));
    return "away for %d s, until %s at the latest".formatted(Math.max(0, away) / MILLI, until);
  }

  /** An object of JSON. */
  Map<String, Object> json() {
    return Ordered.of(
        "seconds", number(seconds()),
        "functionsPerSecond", number(rate(now.totals(), before.totals(), "calls")),
        "devices", now.devices().stream().map(this::deviceJson).toList(),
        "joined", now.joined().stream().map(TopFrame::joinedJson).toList(),
        "leases", now.leases().stream().map(LeaseRow::new).map(LeaseRow::json).toList(),
        "sessions", now.sessions().stream().map(this::sessionJson).toList());
  }

  private static Map<String, Object> joinedJson(Form device) {
    return Ordered.of(
        "number", device.number("number", 0),
        "model", device.get("model"),
        "memory", device.number("memory", 0),
        "host", device.get("host"));
  }

  private Map<String, Object> deviceJson(Form device) {
    return Ordered.of(
        "number",
        device.number("number", 0),
        "node",
        device.get("node"),
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
        number(device, "busy"),
        "leasesMemory",
        number(device, "leasesMemory"),
        "leasesUtilization",
        number(work(device).orElse(Double.NaN)));
  }

  /** Null where it is not known. */
  private static Long number(Form device, String name) {
    return device.get(name).isEmpty() ? null : Long.valueOf(device.get(name));
  }

  private Map<String, Object> sessionJson(Form session) {
    return Ordered.of(
        "lease", session.get("lease"),
        "tenant", session.get("tenant"),
        "node", session.get("node"),
        "client", session.get("client"),
        "calls", session.number("calls", 0),
        "functionsPerSecond", number(rate(session, "calls")),
        "microsecondsPerCall", number(latency(session)),
        "bytesInPerSecond", number(rate(session, "bytesIn")),
        "bytesOutPerSecond", number(rate(session, "bytesOut")),
        "idleSeconds", session.number("idleSeconds", 0),
        "mostCalled", mostCalled(session),
        "awaySince", moment(session, "awaySince"),
        "awayUntil", moment(session, "awayUntil"));
  }

  /** The functions that it called most, in that order. */
  private static List<String> mostCalled(Form session) {
    List<String> words = session.words("functions");
    return IntStream.range(0, words.size() / 2).mapToObj(place -> words.get(2 * place)).toList();
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
