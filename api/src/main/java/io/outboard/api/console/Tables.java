// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Outlook;
import io.outboard.lease.schedule.Explanation;
import io.outboard.lease.schedule.Waiting;
import io.outboard.lease.service.LeaseUse;
import io.outboard.pool.Pool;
import io.outboard.pool.control.LeaseForm;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The tables of the console, a page at a time; only rows of the page are made. */
public final class Tables {
  /** By what GPUs are sorted. */
  public static final List<String> GPU_ORDERS =
      List.of("name", "load", "memoryUsed", "temperature", "power", "share", "leases");

  /** By what nodes are sorted. */
  public static final List<String> NODE_ORDERS = List.of("name", "gpus", "load", "leased");

  /** By what leases are sorted. */
  public static final List<String> LEASE_ORDERS =
      List.of("requested", "idle", "busy", "tenant", "state", "expires", "gpus");

  /** By what programs are sorted. */
  public static final List<String> PROGRAM_ORDERS =
      List.of("idle", "calls", "bytesOut", "bytesIn", "tenant", "client");

  private static final double PERCENT = 100;
  private static final long ABSENT = 20_000;

  private final Pool pool;
  private final Samples samples;

  /** Those of a pool. */
  public Tables(Pool pool, Samples samples) {
    this.pool = pool;
    this.samples = samples;
  }

  /** GPUs, of one node or, where that is empty, of all. */
  public Page<Form> gpus(String node, Page.Wanted wanted) throws LeaseException {
    Comparator<Form> order =
        wanted.sort().equals("name")
            ? Comparator.comparing((Form gpu) -> gpu.get("node"))
                .thenComparingLong(gpu -> gpu.number("number", 0))
            : Comparator.comparingLong(gpu -> gpu.number(wanted.sort(), -1));
    return Page.of(
        samples.now().gpus(),
        gpu ->
            (node.isEmpty() || node.equals(gpu.get("node")))
                && wanted.finds(gpu.get("node"), gpu.get("uuid"), gpu.get("model")),
        order,
        wanted);
  }

  /**
   * Leases that have GPUs.
   *
   * @param mine which of them may be seen
   * @param state only those in that state; empty for any
   */
  public Page<Form> leases(Predicate<Lease> mine, String state, Page.Wanted wanted)
      throws LeaseException {
    Samples.Snapshot now = samples.now();
    Map<String, Long> loads = loads(now);
    Page<Lease> page =
        Page.of(
            now.leases(),
            lease ->
                lease.state().holds()
                    && !lease.request().isCommon()
                    && mine.test(lease)
                    && (state.isEmpty() || state.equals(lease.state().label()))
                    && finds(lease, wanted),
            order(wanted.sort(), now, loads),
            wanted);
    return new Page<>(
        page.total(), page.rows().stream().map(lease -> held(lease, now, loads)).toList());
  }

  private static boolean finds(Lease lease, Page.Wanted wanted) {
    return wanted.finds(lease.id(), lease.tenant(), lease.request().consumer())
        || lease.gpus().stream().anyMatch(gpu -> wanted.finds(gpu.node(), gpu.model()));
  }

  private Comparator<Lease> order(String sort, Samples.Snapshot now, Map<String, Long> loads) {
    return switch (sort) {
      case "idle" -> Comparator.comparingLong(lease -> idle(lease, now.at()));
      case "busy" -> Comparator.comparingDouble(lease -> busy(lease, loads).orElse(-1));
      case "tenant" -> Comparator.comparing(Lease::tenant).thenComparing(Lease::id);
      case "state" -> Comparator.comparing(Lease::state).thenComparing(Lease::id);
      case "expires" -> Comparator.comparing(Lease::expires);
      case "gpus" -> Comparator.comparingInt(lease -> lease.gpus().size());
      default -> Comparator.comparing((Lease lease) -> lease.requested()).thenComparing(Lease::id);
    };
  }

  /** In milliseconds; one whose work is put aside keeps nobody from its GPUs. */
  private long idle(Lease lease, Instant now) {
    return lease.state().isSuspended()
        ? 0
        : Math.max(0, now.toEpochMilli() - samples.idleSince(lease).toEpochMilli());
  }

  private static Map<String, Long> loads(Samples.Snapshot now) {
    return now.gpus().stream()
        .filter(gpu -> !gpu.get("load").isEmpty())
        .collect(
            Collectors.toMap(
                gpu -> gpu.get("node") + "/" + gpu.get("uuid"),
                gpu -> gpu.number("load", 0),
                (one, _) -> one));
  }

  /** How many of its GPUs it keeps busy: as that is measured, else what these say. */
  private OptionalDouble busy(Lease lease, Map<String, Long> loads) {
    OptionalDouble measured = samples.busy(lease);
    if (measured.isPresent() || lease.state().isSuspended()) {
      return measured;
    }
    List<String> known =
        lease.gpus().stream().map(Tables::name).filter(loads::containsKey).toList();
    return known.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(known.stream().mapToLong(loads::get).sum() / PERCENT);
  }

  private static String name(Gpu gpu) {
    return gpu.node() + "/" + gpu.uuid();
  }

  private Form held(Lease lease, Samples.Snapshot now, Map<String, Long> loads) {
    OptionalDouble busy = busy(lease, loads);
    return LeaseForm.of(lease, pool.leases().use(lease))
        .with("idleSeconds", idle(lease, now.at()) / 1_000)
        .with(
            "busyPercent",
            busy.isPresent()
                ? Math.round(PERCENT * busy.getAsDouble() / Math.max(1, lease.gpus().size()))
                : "")
        .with("bytesPerSecond", Math.round(samples.bytes(lease)));
  }

  /**
   * Programs, as rows of sessions.
   *
   * @param mine whose may be seen, by their tenants
   */
  public Page<Form> programs(Predicate<String> mine, Page.Wanted wanted) throws LeaseException {
    Comparator<Form> order =
        switch (wanted.sort()) {
          case "tenant", "client" -> Comparator.comparing(row -> row.get(wanted.sort()));
          case "idle" -> Comparator.comparingLong(row -> row.number("idleSeconds", 0));
          default -> Comparator.comparingLong(row -> row.number(wanted.sort(), 0));
        };
    return Page.of(
        pool.ask("sessions", new Form()),
        row ->
            mine.test(row.get("tenant"))
                && wanted.finds(
                    row.get("client"),
                    row.get("lease"),
                    row.get("tenant"),
                    row.get("user"),
                    row.get("node")),
        order.thenComparing(row -> row.get("lease")).thenComparing(row -> row.get("client")),
        wanted);
  }

  /** Leases that wait, with the reason; the next one first. */
  public Page<Form> queue(Predicate<Lease> mine, Page.Wanted wanted) throws LeaseException {
    Samples.Snapshot now = samples.now();
    Page<Waiting> page =
        Page.of(
            pool.waiting(),
            waiting -> mine.test(waiting.lease()) && finds(waiting.lease(), wanted),
            Comparator.comparingInt(Waiting::place),
            wanted);
    return new Page<>(
        page.total(), page.rows().stream().map(waiting -> waiting(waiting, now)).toList());
  }

  private static Form waiting(Waiting waiting, Samples.Snapshot now) {
    Outlook outlook = new Outlook(waiting.place(), 0, free(waiting.lease(), now));
    LeaseUse use = new LeaseUse(0, 0, Optional.of(outlook), List.of());
    return LeaseForm.of(waiting.lease(), use)
        .with("cause", waiting.cause().map(Explanation.Cause::label).orElse(""))
        .with("why", waiting.cause().map(Explanation.Cause::words).orElse(""))
        .with("earliest", waiting.earliest().toEpochMilli());
  }

  /** When the first lease ends that has a GPU which fits. */
  private static Instant free(Lease waiting, Samples.Snapshot now) {
    return now.leases().stream()
        .filter(lease -> lease.state().occupies() && !lease.request().isCommon())
        .filter(lease -> lease.gpus().stream().anyMatch(waiting.request()::fits))
        .map(lease -> lease.expires())
        .min(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }

  /** The nodes of a pool, and the one that is asked if it has GPUs of its own. */
  public Page<Form> nodes(Page.Wanted wanted) throws LeaseException {
    Samples.Snapshot now = samples.now();
    Map<String, List<Form>> gpus =
        now.gpus().stream().collect(Collectors.groupingBy(gpu -> gpu.get("node")));
    Map<String, Form> rows = new HashMap<>();
    for (Form node : pool.ask("nodes", new Form())) {
      rows.put(node.get("node"), node);
    }
    if (gpus.containsKey(Gpu.HERE)) {
      rows.put(Gpu.HERE, new Form().with("node", Gpu.HERE).with("joined", true));
    }
    rows.forEach((name, row) -> sum(row, gpus.getOrDefault(name, List.of()), now.at()));
    return Page.of(
        List.copyOf(rows.values()),
        row -> wanted.finds(row.get("node"), row.get("models")),
        order(wanted.sort()),
        wanted);
  }

  private static Comparator<Form> order(String sort) {
    return sort.equals("name")
        ? Comparator.comparing(row -> row.get("node"))
        : Comparator.comparingLong(row -> row.number(sort, -1));
  }

  private static void sum(Form row, List<Form> gpus, Instant now) {
    long late = now.toEpochMilli() - row.number("reported", 0);
    boolean here = row.get("node").equals(Gpu.HERE);
    row.with("state", here || late < ABSENT ? "present" : "absent")
        .with("gpus", gpus.size())
        .with("models", String.join(", ", distinct(gpus, gpu -> gpu.get("model"))))
        .with("failed", count(gpus, "failed"))
        .with("cordoned", count(gpus, "cordoned"))
        .with("leased", gpus.stream().mapToLong(gpu -> gpu.number("share", 0)).sum())
        .with("load", mean(gpus))
        .with("power", known(gpus, "power"))
        .with("leases", gpus.stream().mapToLong(gpu -> gpu.number("leases", 0)).sum());
  }

  private static List<String> distinct(List<Form> gpus, Function<Form, String> what) {
    return gpus.stream().map(what).distinct().sorted().toList();
  }

  private static long count(List<Form> gpus, String name) {
    return gpus.stream().filter(gpu -> !gpu.get(name).isEmpty()).count();
  }

  private static String mean(List<Form> gpus) {
    List<Form> known = gpus.stream().filter(gpu -> !gpu.get("load").isEmpty()).toList();
    return known.isEmpty()
        ? ""
        : "" + known.stream().mapToLong(gpu -> gpu.number("load", 0)).sum() / known.size();
  }

  private static String known(List<Form> gpus, String name) {
    List<Form> known = gpus.stream().filter(gpu -> !gpu.get(name).isEmpty()).toList();
    return known.isEmpty() ? "" : "" + known.stream().mapToLong(gpu -> gpu.number(name, 0)).sum();
  }

  /** The pool in figures; leases are those that may be seen. */
  public Form overview(Predicate<Lease> mine) throws LeaseException {
    Samples.Snapshot now = samples.now();
    List<Form> gpus = now.gpus();
    List<Lease> leases =
        now.leases().stream().filter(lease -> !lease.request().isCommon()).filter(mine).toList();
    Form row =
        new Form()
            .with("nodes", distinct(gpus, gpu -> gpu.get("node")).size())
            .with("gpus", gpus.size())
            .with("failed", count(gpus, "failed"))
            .with("cordoned", count(gpus, "cordoned"))
            .with("leased", gpus.stream().mapToLong(gpu -> gpu.number("share", 0)).sum())
            .with("load", mean(gpus))
            .with("power", known(gpus, "power"));
    for (LeaseState state : LeaseState.values()) {
      row.with(state.label(), leases.stream().filter(lease -> lease.state() == state).count());
    }
    return row;
  }

  /** The last ten minutes as columns: seconds since 1970, leased, busy, waiting. */
  public List<List<Number>> history() {
    List<Samples.Totals> history = samples.history();
    return List.of(
        history.stream().<Number>map(one -> one.at().getEpochSecond()).toList(),
        history.stream().<Number>map(Samples.Totals::leased).toList(),
        history.stream().<Number>map(Samples.Totals::busy).toList(),
        history.stream().<Number>map(Samples.Totals::waiting).toList());
  }
}
