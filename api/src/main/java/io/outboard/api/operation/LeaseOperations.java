// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Parameter;
import io.outboard.lease.account.Role;
import io.outboard.pool.Pool;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Operations on leases. */
public final class LeaseOperations {
  private static final String PATH = "/v1/leases/{lease}";
  private static final View VIEW =
      new View()
          .text("id", "by which it is named")
          .text("tenant", "on whose account")
          .text("consumer", "who uses it")
          .text(
              "state",
              "requested, granted, active, idle, suspended, held, draining, released,"
                  + " revoked or expired")
          .text("reason", "why it is in its state")
          .count("epoch", "of its grant; 0 before")
          .count("gpus", "how many GPUs")
          .text("wanted", "part of their name that was asked for")
          .text("arch", "their generation that was asked for; empty for any")
          .text("model", "their name; empty before the grant")
          .texts("uuids", "of its GPUs")
          .count("memory", "bytes of each; 0 for the share of it")
          .share("share", "of each; 0 for sessions without a lease, which share")
          .text("mode", "remote: for programs; device: whole GPUs, handed over; mig: slices, so")
          .text("profile", "of the slices that were asked for; empty for any device")
          .number("priority", "higher ones come first")
          .count("sessions", "programs that use it now")
          .count("away", "of these, those that have lost their connection and may come back")
          .optional("grace", "seconds in which these may; null: the node's time")
          .count("idleSuspend", "seconds of idleness after which it is suspended; 0: the node's")
          .count("idleRevoke", "seconds of idleness after which it is revoked; 0: the node's")
          .optional("place", "among those that wait, from 1; null once it has GPUs")
          .moment("free", "when the first lease ends that has a GPU which fits; null if none does")
          .moment("requested", "when it was asked for")
          .moment("granted", "when it got its GPUs")
          .moment("expires", "when it ends at the latest")
          .identity();

  private static final View HANDED =
      new View()
          .count("number", "among the node's, from 0")
          .text("uuid", "as the vendor writes it")
          .text("model", "its name")
          .text("profile", "how much of a GPU it is; empty for a whole one")
          .text("cdi", "its name in CDI, after nvidia.com/gpu=")
          .text("pci", "its address; empty for a software GPU, and for a slice")
          .text("iommuGroup", "its group; empty without an IOMMU")
          .texts("neighbours", "addresses of the others in that group")
          .texts("nodes", "the files of devices that a container needs");

  private final Pool pool;
  private final List<String> endpoints;

  private LeaseOperations(Pool pool, List<String> endpoints) {
    this.pool = pool;
    this.endpoints = List.copyOf(endpoints);
  }

  public static List<Operation> of(Pool pool, List<String> endpoints) {
    LeaseOperations leases = new LeaseOperations(pool, endpoints);
    return List.of(
        Operation.get("/v1/leases", "listLeases")
            .says(
                "The leases of the tenant, for an operator of all: the oldest first, and behind"
                    + " them those that are over, the last end first.")
            .by(Role.READER)
            .with("all", new Schema.Flag(), "also those that are over")
            .with("cursor", Schema.text(), "the 'next' of the page before; by default the first")
            .with(
                "limit",
                new Schema.Whole(1, LeaseQuery.PAGE),
                "how many at most; by default 1000 with 'all', and all without it")
            .answers(
                Reply.OK,
                VIEW.many("leases")
                    .with(
                        "next",
                        new Schema.Nullable(Schema.text()),
                        "the 'cursor' of the next page; null where there is none"))
            .does(leases::list),
        Operation.post("/v1/leases", "createLease")
            .says("Asks for a lease, which is granted at once where that is possible.")
            .by(Role.USER)
            .wants(wanted())
            .mayFail(Problem.IMPOSSIBLE)
            .answers(Reply.CREATED, held())
            .does(leases::create),
        Operation.get(PATH, "getLease")
            .says("A lease; with the token of its programs for who may use it.")
            .by(Role.READER)
            .mayFail(Problem.NOT_FOUND)
            .answers(Reply.OK, held())
            .does(leases::find),
        Operation.get(PATH + "/handover", "getHandover")
            .says("Where the GPUs are of a lease that hands them over.")
            .by(Role.READER)
            .mayFail(Problem.NOT_FOUND, Problem.CONFLICT)
            .answers(Reply.OK, HANDED.many("gpus"))
            .does(leases::handover),
        Operation.post(PATH + "/renew", "renewLease")
            .says("Has a lease end so long after now, or have another share, or both.")
            .by(Role.USER)
            .wants(
                new Schema.Fields()
                    .may("seconds", Schema.of(Parameter.SECONDS), "from now on")
                    .may("share", new Schema.Decimal(1), "of each GPU, for programs that run too"))
            .mayFail(Problem.NOT_FOUND, Problem.CONFLICT)
            .answers(Reply.OK, VIEW.schema())
            .does(leases::renew),
        leases.ending("drain", Role.USER, "Lets no program begin; it ends with the last one."),
        leases.ending(
            "suspend",
            Role.USER,
            "Puts aside what it has on its GPUs, for others, until it is resumed."),
        leases.ending("resume", Role.USER, "Brings back what was put aside."),
        leases.ending("release", Role.USER, "Ends a lease, by its holder."),
        leases.ending("revoke", Role.OPERATOR, "Ends a lease, by the operator."));
  }

  private Operation ending(String verb, Role role, String summary) {
    return Operation.post(PATH + "/" + verb, verb + "Lease")
        .says(summary)
        .by(role)
        .wants(new Schema.Fields().may("reason", Schema.of(Parameter.REASON), "why, for people"))
        .mayFail(Problem.NOT_FOUND, Problem.CONFLICT)
        .answers(Reply.OK, VIEW.schema())
        .does(call -> change(verb, call));
  }

  private static Schema.Fields wanted() {
    return new Schema.Fields()
        .with("seconds", Schema.of(Parameter.SECONDS), "how long, from the grant on")
        .may("tenant", AccountOperations.TENANT, "on whose account; by default that of the token")
        .may("gpus", Schema.of(Parameter.GPUS), "how many GPUs; by default 1")
        .may("model", Schema.of(Parameter.MODEL), "part of their name")
        .may("arch", Schema.of(Parameter.ARCH), "their generation")
        .may("memory", Schema.of(Parameter.MEMORY), "bytes of each; 0 for the share of it")
        .may("share", new Schema.Decimal(1), "of each; by default the whole")
        .may(
            "priority",
            Schema.of(Parameter.PRIORITY),
            "higher ones come first; above 0 for operators alone")
        .may("placement", Schema.of(Parameter.PLACEMENT), "by default pack")
        .may(
            "mode",
            Schema.of(Parameter.MODE),
            "by default remote; device hands whole GPUs over to a container or a virtual machine,"
                + " mig slices to a container")
        .may("profile", Schema.of(Parameter.PROFILE), "of slices, as 1g.18gb")
        .may(
            "idleSuspend",
            Schema.of(Parameter.IDLE_SUSPEND),
            "suspended after so long idle; 0, as without it: as the node says")
        .may(
            "idleRevoke",
            Schema.of(Parameter.IDLE_REVOKE),
            "revoked after so long idle; 0, as without it: as the node says")
        .may(
            "grace",
            Schema.of(Parameter.GRACE),
            "seconds in which a program that lost its connection may come back, or as the node"
                + " says")
        .may(
            "keep",
            Schema.of(Parameter.KEEP),
            "seconds for which the request, and its grant, stay while nobody reads the lease; 0 for"
                + " always; by default 60")
        .may("consumer", Schema.of(Parameter.CONSUMER), "who uses it, for the ledger")
        .may("consumerType", Schema.of(Parameter.CONSUMER_TYPE), "what uses it")
        .may("consumerId", Schema.of(Parameter.CONSUMER_ID), "of the virtual machine or the job")
        .may("user", Schema.of(Parameter.USER), "global name, as the subject of a certificate")
        .may("fqan", Schema.of(Parameter.FQAN), "virtual organisation, group and role")
        .may("site", Schema.of(Parameter.SITE), "where it is registered");
  }

  private static Schema.Fields held() {
    return VIEW.schema()
        .may("token", Schema.text(), "for OUTBOARD_TOKEN; once it is granted")
        .with("endpoints", new Schema.Many(Schema.text()), "for OUTBOARD; any of them");
  }

  private Reply list(Call call) throws Problem, LeaseException {
    Form wanted =
        new Form()
            .with("all", call.query().getOrDefault("all", false).equals(true) ? "yes" : "")
            .with("tenant", call.tenant())
            .with("cursor", call.query().getOrDefault("cursor", ""))
            .with("limit", call.query().getOrDefault("limit", ""));
    try {
      List<Form> rows = pool.ask("leases", wanted);
      String next = rows.isEmpty() ? "" : rows.getLast().get("next");
      return Reply.of(
          Ordered.of(
              "leases",
              rows.stream().map(VIEW::of).toList(),
              "next",
              next.isEmpty() ? null : next));
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, e.getMessage());
    }
  }

  private Reply create(Call call) throws Problem {
    try {
      return Reply.of(Reply.CREATED, held(pool.ask("lease", request(call)).getFirst()));
    } catch (LeaseException e) {
      throw new Problem(Problem.IMPOSSIBLE, e.getMessage());
    }
  }

  private static Form request(Call call) throws Problem {
    Form form = new Form().with("tenant", tenant(call));
    for (String name :
        List.of(
            "consumer",
            "model",
            "arch",
            "profile",
            "consumerType",
            "consumerId",
            "user",
            "fqan",
            "site")) {
      form.with(name, call.text(name));
    }
    if (call.number("priority", 0) > 0 && !call.isOperator()) {
      throw new Problem(Problem.FORBIDDEN, "a priority above 0 is for operators");
    }
    return form.with("gpus", call.number("gpus", 1))
        .with("memory", call.number("memory", 0))
        .with("share", share(call.body().getOrDefault("share", 1)))
        .with("priority", call.number("priority", 0))
        .with("seconds", call.number("seconds", 0))
        .with("idleSuspend", call.number("idleSuspend", 0))
        .with("idleRevoke", call.number("idleRevoke", 0))
        .with("grace", call.body().getOrDefault("grace", ""))
        .with("keep", call.body().getOrDefault("keep", ""))
        .with("placement", call.body().getOrDefault("placement", "pack"))
        .with("mode", call.body().getOrDefault("mode", LeaseMode.REMOTE.label()));
  }

  /** In thousandths. */
  private static long share(Object share) {
    return new BigDecimal(share.toString())
        .multiply(BigDecimal.valueOf(LeaseRequest.WHOLE))
        .longValueExact();
  }

  private static String tenant(Call call) throws Problem {
    String own = call.tenant().isEmpty() ? LeaseRequest.DEFAULT_TENANT : call.tenant();
    String wanted = call.text("tenant").isEmpty() ? own : call.text("tenant");
    if (!call.covers(wanted)) {
      throw new Problem(Problem.FORBIDDEN, "the token is of another tenant");
    }
    return wanted;
  }

  private Map<String, Object> held(Form row) {
    SequencedMap<String, Object> lease = new LinkedHashMap<>(VIEW.of(row));
    if (!row.get("token").isEmpty()) {
      lease.put("token", row.get("token"));
    }
    lease.put("endpoints", endpoints);
    return lease;
  }

  private Reply find(Call call) throws Problem {
    Form row = own(call);
    return Reply.of(held(call.mayUse() ? row : row.with("token", "")));
  }

  private Reply handover(Call call) throws Problem, LeaseException {
    return HANDED.all("gpus", pool.ask("handover", new Form().with("id", own(call).get("id"))));
  }

  /** One of another tenant is as if it were not there. */
  private Form own(Call call) throws Problem {
    String id = call.path().get("lease");
    Problem missing = new Problem(Problem.NOT_FOUND, "there is no lease of that name");
    try {
      Form row = pool.ask("find", new Form().with("id", id)).getFirst();
      if (call.covers(row.get("tenant"))) {
        return row;
      }
    } catch (LeaseException e) {
      missing.addSuppressed(e);
    }
    throw missing;
  }

  private Reply renew(Call call) throws Problem, LeaseException {
    Form form = new Form().with("id", own(call).get("id"));
    if (call.body().isEmpty()) {
      throw new Problem(Problem.BAD_REQUEST, "seconds or share, or both, are wanted");
    }
    if (call.body().containsKey("seconds")) {
      form.with("seconds", call.number("seconds", 0));
    }
    if (call.body().containsKey("share")) {
      form.with("share", share(call.body().get("share")));
    }
    return Reply.of(VIEW.of(pool.ask("renew", form).getFirst()));
  }

  private Reply change(String verb, Call call) throws Problem, LeaseException {
    Form form = new Form().with("id", own(call).get("id")).with("reason", call.text("reason"));
    return Reply.of(VIEW.of(pool.ask(verb, form).getFirst()));
  }
}
