// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.audit.AuditLog;
import io.outboard.api.console.LiveStreams;
import io.outboard.api.console.Page;
import io.outboard.api.console.Tables;
import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.api.usage.UsageSeries;
import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.account.Role;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Operations for people who look: sorted pages, sums over time, and streams of them. */
public final class ConsoleOperations {
  private static final int MOST_ROWS = 200;
  private static final int USUAL_ROWS = 50;

  private static final int MOST_DAYS = 400;
  private static final List<String> BOOKS = List.of("operators", "users", "refused");

  private static final View GPU =
      NodeOperations.device()
          .optional(
              "load", "percent of the last half minute in which it had work; null if unknown");

  private static final View LEASE =
      LeaseOperations.view()
          .count("idleSeconds", "for how long nothing has been done with it, as far as is known")
          .optional("busyPercent", "of its GPUs in the last half minute; null if not known")
          .count("bytesPerSecond", "that its programs sent and received in the last half minute");

  private static final View WAITING =
      LeaseOperations.view()
          .text("cause", "why it waits, as in an explanation")
          .text("why", "the same for people")
          .moment("earliest", "when it has its GPUs at the latest; null if nobody knows");

  private static final View NODE =
      new View()
          .text("node", "its name; empty for the one that is asked")
          .text("state", "present, or absent where it has not reported lately")
          .flag("joined", "whether it may report")
          .moment("reported", "when it did last; null for the one that is asked, and before")
          .texts("endpoints", "where programs connect to")
          .count("gpus", "how many it has")
          .text("models", "their names")
          .count("failed", "of them, those that failed")
          .count("cordoned", "of them, those that are out for maintenance")
          .share("leased", "of them, in whole GPUs")
          .optional("load", "percent of them that is busy, where that is known")
          .optional("power", "milliwatts of them, where that is known")
          .count("leases", "that have a part of one, one for each GPU");

  private static final View TOTALS =
      new View()
          .count("nodes", "with GPUs")
          .count("gpus", "in all")
          .count("failed", "GPUs")
          .count("cordoned", "GPUs that are out for maintenance")
          .share("leased", "in whole GPUs")
          .optional("load", "percent of the GPUs that is busy, where that is known")
          .optional("power", "milliwatts of the GPUs, where that is known")
          .count("requested", "leases that wait")
          .count("granted", "leases that nobody has used yet")
          .count("active", "leases in use")
          .count("idle", "leases that were used and are not now")
          .count("suspended", "leases, until a call")
          .count("held", "leases that are suspended until they are resumed")
          .count("draining", "leases that end with their last program");

  private final Tables tables;
  private final UsageSeries usage;
  private final AuditLog audit;
  private final LiveStreams streams;
  private final InstantSource clock;

  private ConsoleOperations(
      Tables tables, UsageSeries usage, AuditLog audit, LiveStreams streams, InstantSource clock) {
    this.tables = tables;
    this.usage = usage;
    this.audit = audit;
    this.streams = streams;
    this.clock = clock;
  }

  /** Answers what is looked at. */
  @FunctionalInterface
  private interface Look {
    Map<String, Object> at(Call call) throws Problem, LeaseException;
  }

  /** All of them. */
  public static List<Operation> of(
      Tables tables, UsageSeries usage, AuditLog audit, LiveStreams streams, InstantSource clock) {
    ConsoleOperations all = new ConsoleOperations(tables, usage, audit, streams, clock);
    List<Operation> operations = new ArrayList<>();
    all.add(
        operations,
        "overview",
        "The pool in figures, and its last ten minutes.",
        operation -> operation,
        overviewSchema(),
        all::overview);
    all.add(
        operations,
        "nodes",
        "The nodes of the pool, with sums of their GPUs.",
        operation -> paged(operation, Tables.NODE_ORDERS, MOST_ROWS),
        page(NODE),
        call -> all.page(NODE, tables.nodes(wanted(call, "name", USUAL_ROWS))));
    all.add(
        operations,
        "gpus",
        "The GPUs of the pool, with their present state.",
        operation ->
            paged(operation, Tables.GPU_ORDERS, MOST_ROWS)
                .with("node", Schema.text(), "only those of a node"),
        page(GPU),
        call -> all.page(GPU, tables.gpus(text(call, "node"), wanted(call, "name", USUAL_ROWS))));
    all.add(
        operations,
        "leases",
        "Leases that have GPUs, with how they use them; of the tenant, for an operator all.",
        operation ->
            paged(operation, Tables.LEASE_ORDERS, MOST_ROWS)
                .with("state", Schema.text(), "only those in that state"),
        page(LEASE),
        call ->
            all.page(
                LEASE,
                tables.leases(
                    lease -> sees(call, lease),
                    text(call, "state"),
                    wanted(call, "requested", USUAL_ROWS))));
    all.add(
        operations,
        "programs",
        "Programs, with what they do; of the tenant, for an operator all.",
        operation -> paged(operation, Tables.PROGRAM_ORDERS, MOST_ROWS),
        page(NodeOperations.session()),
        call ->
            all.page(
                NodeOperations.session(),
                tables.programs(call::covers, wanted(call, "idle", USUAL_ROWS))));
    all.add(
        operations,
        "queue",
        "Leases that wait, with the reason; of the tenant, for an operator all.",
        operation -> paged(operation, List.of("place"), MOST_ROWS),
        page(WAITING),
        call ->
            all.page(
                WAITING,
                tables.queue(lease -> sees(call, lease), wanted(call, "place", USUAL_ROWS))));
    operations.add(
        Operation.get("/v1/views/usage", "viewUsage")
            .says("GPU hours of the ledger over time; of the tenant, for an operator of all.")
            .by(Role.READER)
            .with("by", Schema.oneOf(UsageSeries.GROUPS), "what has a line; by default tenant")
            .with("days", new Schema.Whole(1, MOST_DAYS), "up to now; by default 7")
            .answers(Reply.OK, usageSchema())
            .does(all::usage));
    operations.add(
        Operation.get("/v1/views/audit", "viewAudit")
            .says("The last lines of a book of the audit log, the youngest first.")
            .by(Role.OPERATOR)
            .with("book", Schema.oneOf(BOOKS), "changes of operators, of users, or refusals")
            .with("limit", new Schema.Whole(1, MOST_ROWS), "how many at most; by default 50")
            .answers(
                Reply.OK,
                new Schema.Fields()
                    .with("lines", new Schema.Many(new Schema.Anything()), "as they are written"))
            .does(all::audit));
    return operations;
  }

  /** Changes an operation. */
  @FunctionalInterface
  private interface Having {
    Operation query(Operation operation);
  }

  /** Two: once, and as a stream. */
  private void add(
      List<Operation> operations,
      String name,
      String says,
      Having having,
      Schema schema,
      Look look) {
    String title = name.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + name.substring(1);
    operations.add(
        having
            .query(Operation.get("/v1/views/" + name, "view" + title))
            .says(says)
            .by(Role.READER)
            .answers(Reply.OK, schema)
            .does(call -> Reply.of(look.at(call))));
    operations.add(
        having
            .query(Operation.get("/v1/views/" + name + "/live", "watch" + title))
            .says("The same, again when it has changed, as server-sent events; for a minute.")
            .by(Role.READER)
            .answersText(Reply.EVENTS)
            .does(call -> streams.of(call.caller().orElseThrow().id(), () -> look.at(call))));
  }

  private static Operation paged(Operation operation, List<String> orders, int most) {
    return operation
        .with("search", Schema.text(), "only rows that have this in a name of theirs")
        .with("sort", Schema.oneOf(orders), "by what; by default " + orders.getFirst())
        .with("descending", new Schema.Flag(), "whether the largest come first")
        .with("offset", new Schema.Whole(0, Integer.MAX_VALUE), "how many come before the page")
        .with(
            "limit",
            new Schema.Whole(1, most),
            "how many at most; by default " + Math.min(most, USUAL_ROWS));
  }

  private static Page.Wanted wanted(Call call, String usual, int limit) {
    Map<String, Object> query = call.query();
    return new Page.Wanted(
        text(call, "search"),
        (String) query.getOrDefault("sort", usual),
        query.getOrDefault("descending", false).equals(true),
        Math.toIntExact((Long) query.getOrDefault("offset", 0L)),
        Math.toIntExact((Long) query.getOrDefault("limit", (long) limit)));
  }

  private static String text(Call call, String name) {
    return (String) call.query().getOrDefault(name, "");
  }

  private static boolean sees(Call call, Lease lease) {
    return call.covers(lease.tenant());
  }

  private static Schema.Fields page(View view) {
    return view.many("rows")
        .with("total", Schema.count(), "rows of all pages")
        .with("at", Schema.moment(), "when that was so");
  }

  private Map<String, Object> page(View view, Page<Form> page) {
    return Ordered.of(
        "rows",
        page.rows().stream().<Object>map(view::of).toList(),
        "total",
        page.total(),
        "at",
        clock.instant().toString());
  }

  private static Schema.Fields overviewSchema() {
    Schema.Many column = new Schema.Many(new Schema.Figure());
    return TOTALS
        .schema()
        .with(
            "history",
            new Schema.Many(column),
            "of the last ten minutes: seconds since 1970, GPUs leased, GPUs busy, leases waiting");
  }

  private Map<String, Object> overview(Call call) throws LeaseException {
    Map<String, Object> row = TOTALS.of(tables.overview(lease -> sees(call, lease)));
    row.put("history", tables.history());
    return row;
  }

  private static Schema.Fields usageSchema() {
    Schema.Fields series =
        new Schema.Fields()
            .with("name", Schema.text(), "what its rows have in common")
            .with("hours", new Schema.Many(new Schema.Figure()), "of GPUs by share, at each step");
    return new Schema.Fields()
        .with("step", Schema.count(), "seconds")
        .with("moments", new Schema.Many(Schema.count()), "when each step begins, since 1970")
        .with("series", new Schema.Many(series), "the largest, and the rest together")
        .with("whole", new Schema.Flag(), "whether all rows of that time were read");
  }

  private Reply usage(Call call) throws LeaseException {
    return Reply.of(
        usage.of(
            (String) call.query().getOrDefault("by", UsageSeries.GROUPS.getFirst()),
            Math.toIntExact((Long) call.query().getOrDefault("days", 7L)),
            call.tenant(),
            clock.instant()));
  }

  private Reply audit(Call call) throws Problem {
    int limit = Math.toIntExact((Long) call.query().getOrDefault("limit", (long) USUAL_ROWS));
    String book =
        switch ((String) call.query().getOrDefault("book", BOOKS.getFirst())) {
          case "users" -> AuditLog.USERS;
          case "refused" -> AuditLog.REFUSED;
          default -> AuditLog.OPERATORS;
        };
    try {
      return Reply.of(Map.of("lines", audit.last(book, limit)));
    } catch (IOException e) {
      throw new Problem(Problem.UNAVAILABLE, "the audit log cannot be read");
    }
  }
}
