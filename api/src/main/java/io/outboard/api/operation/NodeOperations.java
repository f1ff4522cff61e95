// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Schema;
import io.outboard.api.monitoring.Node;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.Parameter;
import io.outboard.lease.account.Role;
import io.outboard.pool.Pool;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Operations on the node: its devices, its sessions, and their use. */
public final class NodeOperations {
  private static final long MOST_ROWS = 10_000;
  private static final String NODE_OF_POOL =
      "of the pool, that has the device; by default the one that is asked";
  private static final View DEVICE = device();
  private static final View SESSION = session();
  private static final View NODE =
      new View()
          .text("name", "of the host")
          .count("devices", "how many it has")
          .count("leases", "that are not over")
          .count("waiting", "leases that wait for devices")
          .count("sessions", "programs that use it now")
          .texts("endpoints", "where programs connect to")
          .moment("since", "when its backend began");
  private static final View USAGE =
      new View()
          .count("number", "of the row; later rows have higher ones")
          .text("lease", "the lease")
          .text("tenant", "on whose account")
          .text("consumer", "who used it")
          .count("epoch", "of the grant")
          .text("gpu", "the device's UUID")
          .text("model", "its name")
          .text("arch", "its generation, as hopper; empty if it is not known")
          .share("share", "of it; 0 for sessions without a lease")
          .text("mode", "remote, or device or mig where it was handed over")
          .moment("from", "when that began")
          .moment("to", "when it ended")
          .count("bytesIn", "that came from the lease's programs, in the row of its first GPU")
          .count("bytesOut", "that went to them")
          .optional("busy", "milliseconds in which it had work of the lease; null if not measured")
          .optional("energy", "millijoules of the GPU, by the lease's share; null if not measured")
          .flag("last", "whether the lease is over with this row")
          .identity();

  private static final View MISSED =
      new View()
          .count("number", "of the row; later rows have higher ones")
          .text("lease", "the lease")
          .text("tenant", "on whose account")
          .text("consumer", "who asked for it")
          .moment("due", "when it was to be granted at the latest")
          .text("cause", "why it waited then, as an explanation names that");

  private final Pool pool;
  private final Node node;

  private NodeOperations(Pool pool, Node node) {
    this.pool = pool;
    this.node = node;
  }

  public static List<Operation> of(Pool pool, Node node) {
    NodeOperations all = new NodeOperations(pool, node);
    return List.of(
        Operation.get("/v1/nodes", "listNodes")
            .says("The nodes: this one.")
            .by(Role.READER)
            .answers(Reply.OK, NODE.many("nodes"))
            .does(_ -> all.nodes()),
        Operation.get("/v1/devices", "listDevices")
            .says("The devices, with what is given away of them.")
            .by(Role.READER)
            .answers(Reply.OK, DEVICE.many("devices"))
            .does(_ -> all.devices()),
        Operation.post("/v1/devices/{device}/readmit", "readmitDevice")
            .says("Has a device that failed be given to leases again; by its number or UUID.")
            .by(Role.OPERATOR)
            .with("node", Schema.text(), NODE_OF_POOL)
            .mayFail(Problem.CONFLICT)
            .answers(Reply.OK, DEVICE.many("devices"))
            .does(call -> all.change("readmit", call)),
        Operation.post("/v1/devices/{device}/cordon", "cordonDevice")
            .says("Takes a device out for maintenance: who has it keeps it, nobody else gets it.")
            .by(Role.OPERATOR)
            .with("node", Schema.text(), NODE_OF_POOL)
            .wants(
                new Schema.Fields()
                    .may("reason", Schema.of(Parameter.REASON), "why, for people")
                    .may(
                        "from",
                        Schema.moment(),
                        "from when on; until then others have it; by default now"))
            .mayFail(Problem.CONFLICT, Problem.BAD_REQUEST)
            .answers(Reply.OK, DEVICE.many("devices"))
            .does(all::cordon),
        Operation.post("/v1/devices/{device}/uncordon", "uncordonDevice")
            .says("Has a device that was out for maintenance be given to leases again.")
            .by(Role.OPERATOR)
            .with("node", Schema.text(), NODE_OF_POOL)
            .mayFail(Problem.CONFLICT)
            .answers(Reply.OK, DEVICE.many("devices"))
            .does(call -> all.change("uncordon", call)),
        Operation.get("/v1/sessions", "listSessions")
            .says(
                "The sessions of the tenant's programs, for an operator of all; of each lease of"
                    + " another node's GPUs some.")
            .by(Role.READER)
            .with("lease", Schema.text(), "only those of a lease; by default all")
            .answers(Reply.OK, SESSION.many("sessions"))
            .does(all::sessions),
        Operation.get("/v1/usage", "listUsage")
            .says("Rows of the ledger, those of the tenant alone, for an operator all.")
            .by(Role.READER)
            .with("since", Schema.moment(), "only rows that end later; by default all")
            .with("after", Schema.count(), "only rows with a higher number; by default all")
            .with("limit", new Schema.Whole(1, MOST_ROWS), "how many at most; by default 10000")
            .answers(Reply.OK, USAGE.many("rows"))
            .does(all::usage),
        Operation.get("/v1/missed", "listMissed")
            .says("Guaranteed leases that were not granted in time, as rows of the ledger.")
            .by(Role.READER)
            .with("since", Schema.moment(), "only those that were due later; by default all")
            .with("after", Schema.count(), "only rows with a higher number; by default all")
            .with("limit", new Schema.Whole(1, MOST_ROWS), "how many at most; by default 10000")
            .answers(Reply.OK, MISSED.many("rows"))
            .does(all::missed));
  }

  /** The columns of a session. */
  static View session() {
    return new View()
        .text("lease", "that it uses")
        .text("tenant", "of the lease")
        .text("consumer", "of the lease")
        .text("user", "of the lease; empty if it has none")
        .text("class", "of the lease: guaranteed, shared or spare")
        .text("node", "that runs its calls; empty for the one that is asked")
        .text("client", "the program, with its process")
        .count("calls", "that it has made")
        .count("bytesIn", "that came from it")
        .count("bytesOut", "that went to it")
        .count("idleSeconds", "for how long it has made no call, as far as is known")
        .counts("functions", "that it called most")
        .moment("awaySince", "when its connection was lost; null while it is there")
        .moment("awayUntil", "when it ends if its program has not come back");
  }

  /** The columns of a device. */
  static View device() {
    return new View()
        .count("number", "among the node's, from 0")
        .text("node", "that has it, of a pool; empty for the one that is asked")
        .text("uuid", "as the vendor writes it")
        .text("model", "its name")
        .text("arch", "its generation, as hopper; empty if it is not known")
        .text("profile", "how much of a GPU it is, as 1g.18gb; empty for a whole one")
        .text("parent", "UUID of the GPU that it is a slice of; empty for a whole one")
        .count("memory", "bytes")
        .share("share", "given away to leases, of 1")
        .count("leasedMemory", "bytes given away to leases")
        .count("leases", "that have a part of it")
        .count("common", "sessions without a lease that have it")
        .text("failed", "why it is given to nobody; empty while it works")
        .text("cordoned", "why it is out for maintenance; empty while it is not")
        .moment("closing", "when it is to be out for maintenance; null if it is not")
        .text("closingWhy", "why; empty if it is not")
        .optional("utilization", "percent of late in which a kernel ran; null if not known")
        .optional("memoryUsed", "bytes in use, by whomever; null if not known")
        .optional("memoryTotal", "bytes, as its driver counts them; null if not known")
        .optional("temperature", "degrees Celsius; null if not known")
        .optional("power", "milliwatts; null if not known")
        .optional("busy", "milliseconds in which a kernel ran, in all; null if not known");
  }

  private Reply nodes() throws LeaseException {
    return NODE.all("nodes", List.of(node.row(pool)));
  }

  private Reply devices() throws LeaseException {
    return DEVICE.all("devices", pool.ask("devices", new Form()));
  }

  private Reply cordon(Call call) throws Problem, LeaseException {
    Form wanted =
        device(call).with("reason", call.text("reason")).with("begin", since(call.text("from")));
    return DEVICE.all("devices", pool.ask("cordon", wanted));
  }

  private Reply change(String verb, Call call) throws LeaseException {
    return DEVICE.all("devices", pool.ask(verb, device(call)));
  }

  private static Form device(Call call) {
    String node = (String) call.query().getOrDefault("node", "");
    String device = call.path().get("device");
    return new Form().with("gpu", node.isEmpty() ? device : node + "/" + device);
  }

  private Reply sessions(Call call) throws LeaseException {
    String lease = (String) call.query().getOrDefault("lease", "");
    return SESSION.all(
        "sessions",
        pool.ask("sessions", new Form()).stream()
            .filter(row -> call.covers(row.get("tenant")))
            .filter(row -> lease.isEmpty() || row.get("lease").equals(lease))
            .toList());
  }

  private Reply usage(Call call) throws Problem, LeaseException {
    return USAGE.all("rows", pool.ask("usage", rows(call)));
  }

  private Reply missed(Call call) throws Problem, LeaseException {
    return MISSED.all("rows", pool.ask("missed", rows(call)));
  }

  private static Form rows(Call call) throws Problem {
    return new Form()
        .with("since", since((String) call.query().getOrDefault("since", "")))
        .with("after", call.query().getOrDefault("after", 0L))
        .with("limit", call.query().getOrDefault("limit", MOST_ROWS))
        .with("tenant", call.tenant());
  }

  private static long since(String moment) throws Problem {
    try {
      return moment.isEmpty() ? 0 : Instant.parse(moment).toEpochMilli();
    } catch (ArithmeticException | DateTimeParseException e) {
      throw new Problem(Problem.BAD_REQUEST, "since is a moment as 2026-11-21T12:00:00Z");
    }
  }
}
