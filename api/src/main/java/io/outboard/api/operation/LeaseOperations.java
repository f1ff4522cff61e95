// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.Identity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseCursor;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeasePage;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Parameter;
import io.outboard.lease.Placement;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.account.Role;
import io.outboard.lease.schedule.Explanation;
import io.outboard.lease.service.LeaseService;
import io.outboard.lease.service.Renewal;
import io.outboard.lease.service.Until;
import io.outboard.pool.Pool;
import io.outboard.pool.control.LeaseForm;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Operations on leases. */
public final class LeaseOperations {
  private static final String PATH = "/v1/leases/{lease}";
  private static final View VIEW = view();

  private static final View EXPLAINED =
      new View()
          .text(
              "cause",
              "why it waits: date, room, kept, turn, spare or absent; empty where it does not")
          .text("why", "the same for people")
          .moment("earliest", "when it has its GPUs at the latest; null if nobody knows")
          .texts(
              "leases", "on whose end, or turn, it waits, or some of them; for who has no tenant")
          .texts("devices", "that it would be given now, or has; as NODE/NUMBER")
          .count(
              "most",
              "GPUs of that kind that could be had now for its time, on as many nodes as it may have")
          .share("share", "of as many GPUs as it wants that could be had now; 0 for none")
          .count("longest", "seconds for which its GPUs could be had now");

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

  /** Changes a lease, for a reason. */
  @FunctionalInterface
  private interface Change {
    Lease of(LeaseService leases, String id, String reason) throws LeaseException;
  }

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
        Operation.post("/v1/leases/explain", "explainRequest")
            .says("What would become of a request now, which is not made.")
            .by(Role.USER)
            .wants(wanted())
            .mayFail(Problem.IMPOSSIBLE)
            .answers(Reply.OK, EXPLAINED.schema())
            .does(leases::explainRequest),
        Operation.get(PATH + "/explanation", "explainLease")
            .says("Why a lease waits, and what could be granted now.")
            .by(Role.READER)
            .mayFail(Problem.NOT_FOUND, Problem.CONFLICT)
            .answers(Reply.OK, EXPLAINED.schema())
            .does(leases::explainLease),
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
        leases.ending(
            "drain",
            Role.USER,
            "Lets no program begin; it ends with the last one.",
            LeaseService::drain),
        leases.ending(
            "suspend",
            Role.USER,
            "Puts aside what it has on its GPUs, for others, until it is resumed.",
            (service, id, reason) -> service.suspend(id, Until.RESUMED, reason)),
        leases.ending(
            "resume",
            Role.USER,
            "Brings back what was put aside.",
            (service, id, _) -> service.resume(id)),
        leases.ending("release", Role.USER, "Ends a lease, by its holder.", LeaseService::release),
        leases.ending(
            "revoke", Role.OPERATOR, "Ends a lease, by the operator.", LeaseService::revoke));
  }

  /** The columns of a lease. */
  static View view() {
    return new View()
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
        .count("mostNodes", "on how many nodes they may be")
        .text("wanted", "part of their name that was asked for")
        .text("arch", "their generation that was asked for; empty for any")
        .text("model", "their name; empty before the grant")
        .texts("nodes", "that have them; empty for this one")
        .texts("uuids", "of its GPUs")
        .count("memory", "bytes of each; 0 for the share of it")
        .share("share", "of each; 0 for sessions without a lease, which share")
        .text("mode", "remote: for programs; device: whole GPUs, handed over; mig: slices, so")
        .text("profile", "of the slices that were asked for; empty for any device")
        .number("priority", "higher ones come first")
        .text("class", "guaranteed, shared or spare")
        .moment("begin", "from when on it is wanted; null for as soon as possible")
        .moment("due", "when it is to be granted at the latest; null without such a target")
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
  }

  private Operation ending(String verb, Role role, String summary, Change change) {
    return Operation.post(PATH + "/" + verb, verb + "Lease")
        .says(summary)
        .by(role)
        .wants(new Schema.Fields().may("reason", Schema.of(Parameter.REASON), "why, for people"))
        .mayFail(Problem.NOT_FOUND, Problem.CONFLICT)
        .answers(Reply.OK, VIEW.schema())
        .does(call -> change(change, call));
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
            "mostNodes",
            Schema.of(Parameter.MOST_NODES),
            "on how many nodes the GPUs may be; by default one")
        .may(
            "class",
            Schema.of(Parameter.CLASS),
            "by default shared; guaranteed for operators alone; spare gives way to the others")
        .may("begin", Schema.moment(), "from when on it is wanted; by default at once")
        .may(
            "within",
            Schema.of(Parameter.WITHIN),
            "seconds in which a guaranteed lease is to be granted: a miss is written down")
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
                + " always; by default 60, and 0 with a date")
        .may("consumer", Schema.of(Parameter.CONSUMER), "who uses it, for the ledger")
        .may("consumerType", Schema.of(Parameter.CONSUMER_TYPE), "what uses it")
        .may("consumerId", Schema.of(Parameter.CONSUMER_ID), "of the virtual machine or the job")
        .may(
            "user",
            Schema.of(Parameter.USER),
            "global name, as the subject of a certificate; by default that of the token, which has"
                + " no other one")
        .may(
            "fqan",
            Schema.of(Parameter.FQAN),
            "virtual organisation, group and role; by default that of the token: another one is for"
                + " operators alone")
        .may("site", Schema.of(Parameter.SITE), "where it is registered");
  }

  private static Schema.Fields held() {
    return VIEW.schema()
        .may("token", Schema.text(), "for OUTBOARD_TOKEN; once it is granted")
        .with("endpoints", new Schema.Many(Schema.text()), "for OUTBOARD; any of them");
  }

  private Reply list(Call call) {
    LeasePage page = pool.leases().page(query(call));
    return Reply.of(
        Ordered.of(
            "leases",
            page.leases().stream().map(this::view).toList(),
            "next",
            page.next().map(LeaseCursor::toString).orElse(null)));
  }

  private static LeaseQuery query(Call call) {
    boolean over = call.query().getOrDefault("all", false).equals(true);
    int usual = over ? LeaseQuery.PAGE : LeaseQuery.LIVING.most();
    Optional<String> cursor = Optional.ofNullable((String) call.query().get("cursor"));
    return new LeaseQuery(
        call.tenant(),
        over,
        cursor.map(LeaseCursor::parse),
        Math.toIntExact((Long) call.query().getOrDefault("limit", (long) usual)));
  }

  private Map<String, Object> view(Lease lease) {
    return VIEW.of(LeaseForm.of(lease, pool.leases().use(lease)));
  }

  private Reply create(Call call) throws Problem {
    try {
      return Reply.of(Reply.CREATED, held(pool.leases().request(request(call)), true));
    } catch (LeaseException e) {
      throw new Problem(Problem.IMPOSSIBLE, e.getMessage());
    }
  }

  private Reply explainRequest(Call call) throws Problem {
    try {
      return explained(call, pool.leases().explain(request(call)));
    } catch (LeaseException e) {
      throw new Problem(Problem.IMPOSSIBLE, e.getMessage());
    }
  }

  private Reply explainLease(Call call) throws Problem, LeaseException {
    return explained(call, pool.leases().explain(own(call).id()));
  }

  /** A holder of a tenant's token is not told of others' leases. */
  private static Reply explained(Call call, Explanation explanation) {
    Form form = LeaseForm.of(explanation);
    return Reply.of(EXPLAINED.of(call.tenant().isEmpty() ? form : form.with("leases", "")));
  }

  private static LeaseRequest request(Call call) throws Problem {
    if (call.number("priority", 0) > 0 && !call.isOperator()) {
      throw new Problem(Problem.FORBIDDEN, "a priority above 0 is for operators");
    }
    Instant begin = begin(call.text("begin"));
    ServiceClass service = ServiceClass.of(call.text("class", ServiceClass.SHARED.label()));
    if (service == ServiceClass.GUARANTEED && !call.isOperator()) {
      throw new Problem(Problem.FORBIDDEN, "guaranteed leases are for operators");
    }
    return LeaseRequest.builder()
        .tenant(tenant(call))
        .consumer(call.text("consumer"))
        .gpus(call.count("gpus", 1))
        .model(call.text("model"))
        .architecture(Architecture.labelled(call.text("arch")))
        .memory(call.number("memory", 0))
        .share(share(call.body().getOrDefault("share", 1)))
        .priority(call.count("priority", 0))
        .duration(call.seconds("seconds").orElse(Duration.ZERO))
        .placement(Placement.of(call.text("placement", Placement.PACK.label())))
        .mostNodes(call.count("mostNodes", 1))
        .idle(
            IdleLimits.NONE
                .with(IdleStep.SUSPEND, limit(call, "idleSuspend"))
                .with(IdleStep.REVOKE, limit(call, "idleRevoke")))
        .identity(identity(call))
        .mode(LeaseMode.of(call.text("mode", LeaseMode.REMOTE.label())))
        .profile(call.text("profile"))
        .grace(call.seconds("grace"))
        .keep(call.seconds("keep").orElse(LeaseRequest.usualKeep(begin)))
        .service(service)
        .begin(begin)
        .within(call.seconds("within").orElse(Duration.ZERO))
        .build();
  }

  private static Identity identity(Call call) throws Problem {
    return new Identity(
        call.text("consumerType"),
        call.text("consumerId"),
        call.user(),
        call.fqan(),
        call.text("site"));
  }

  private static Instant begin(String moment) throws Problem {
    try {
      return moment.isEmpty()
          ? Instant.EPOCH
          : Instant.ofEpochMilli(Instant.parse(moment).toEpochMilli());
    } catch (ArithmeticException | DateTimeParseException e) {
      throw new Problem(Problem.BAD_REQUEST, "begin is a moment as 2026-11-21T12:00:00Z");
    }
  }

  /** Null, as zero, for none of its own. */
  private static Duration limit(Call call, String name) {
    return call.seconds(name).filter(Duration::isPositive).orElse(null);
  }

  /** In thousandths. */
  private static int share(Object share) {
    return new BigDecimal(share.toString())
        .multiply(BigDecimal.valueOf(LeaseRequest.WHOLE))
        .intValueExact();
  }

  private static String tenant(Call call) throws Problem {
    String own = call.tenant().isEmpty() ? LeaseRequest.DEFAULT_TENANT : call.tenant();
    String wanted = call.text("tenant").isEmpty() ? own : call.text("tenant");
    if (!call.covers(wanted)) {
      throw new Problem(Problem.FORBIDDEN, "the token is of another tenant");
    }
    return wanted;
  }

  /** With its token for who may use it, once it has devices that are served. */
  private Map<String, Object> held(Lease lease, boolean mayUse) {
    Map<String, Object> object = view(lease);
    if (mayUse) {
      pool.leases().token(lease).ifPresent(token -> object.put("token", token.digits()));
    }
    List<String> node = pool.leases().use(lease).endpoints();
    object.put("endpoints", node.isEmpty() ? endpoints : node);
    return object;
  }

  private Reply find(Call call) throws Problem {
    return Reply.of(held(own(call), call.mayUse()));
  }

  private Reply handover(Call call) throws Problem, LeaseException {
    return HANDED.all("gpus", pool.ask("handover", new Form().with("id", own(call).id())));
  }

  /** One of another tenant is as if it were not there. */
  private Lease own(Call call) throws Problem {
    String id = call.path().get("lease");
    Problem missing = new Problem(Problem.NOT_FOUND, "there is no lease of that name");
    try {
      Lease lease = pool.leases().fetch(id);
      if (call.covers(lease.tenant())) {
        return lease;
      }
    } catch (LeaseException e) {
      missing.addSuppressed(e);
    }
    throw missing;
  }

  private Reply renew(Call call) throws Problem, LeaseException {
    String id = own(call).id();
    Object share = call.body().get("share");
    OptionalInt wanted = share == null ? OptionalInt.empty() : OptionalInt.of(share(share));
    Renewal change = new Renewal(call.seconds("seconds"), wanted);
    return Reply.of(view(pool.leases().renew(id, change)));
  }

  private Reply change(Change change, Call call) throws Problem, LeaseException {
    String id = own(call).id();
    return Reply.of(view(change.of(pool.leases(), id, call.text("reason"))));
  }
}
