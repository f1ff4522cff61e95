// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
import io.outboard.lease.Identity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Parameter;
import io.outboard.lease.node.LeasePart;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeProgram;
import io.outboard.lease.node.NodeReport;
import io.outboard.wire.Printable;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports and orders as JSON. */
public final class NodeJson {
  private static final int MOST_TEXT = 256;
  private static final int MOST_GPUS = 1_024;
  private static final int MOST_SESSIONS = 1 << 20;

  /** So that sums of them fit. */
  private static final Schema COUNTED = new Schema.Whole(0, 1L << 60);

  /** In names of files, and in lines of what a daemon leaves to the next. */
  private static final Schema ID =
      new Schema.Text(64, Optional.of(Pattern.compile("[0-9A-Za-z]+")), List.of(), "");

  private static final Schema FUNCTIONS =
      new Schema.Text(512, Optional.of(Pattern.compile("[ 0-9A-Za-z_]*")), List.of(), "");

  private static final Schema MOMENT = Schema.of(Parameter.SINCE);

  /** Without a space, which divides them elsewhere. */
  private static final Schema URI =
      new Schema.Text(MOST_TEXT, Optional.of(Pattern.compile("[!-~]+")), List.of(), "");

  private static final Schema PERHAPS_URI =
      new Schema.Text(MOST_TEXT, Optional.of(Pattern.compile("[!-~]*")), List.of(), "");

  private static final Schema TOKEN =
      new Schema.Text(Token.DIGITS, Optional.of(Pattern.compile("([0-9a-f]{64})?")), List.of(), "");

  private NodeJson() {}

  /** A report's schema. */
  public static Schema.Fields reportSchema() {
    Schema.Fields gpu =
        new Schema.Fields()
            .with("number", new Schema.Whole(0, MOST_GPUS), "among the node's, from 0")
            .with("uuid", Schema.of(Parameter.GPU), "as the vendor writes it")
            .with("model", Schema.of(Parameter.MODEL), "its name")
            .with("memory", Schema.of(Parameter.MEMORY), "bytes")
            .with(
                "arch", Schema.oneOf(architectures()), "its generation; empty if it is not known");
    NodeReport.FIGURES.forEach(
        figure -> gpu.may(figure, COUNTED, "of its present state, as in listDevices, if known"));
    Schema.Fields lease =
        new Schema.Fields()
            .with("id", Schema.of(Parameter.ID), "by which it is named")
            .with("epoch", Schema.count(), "of its grant")
            .with("state", labels(LeaseState.values(), LeaseState::label), "at the node")
            .with("reason", Schema.text(), "why it is in its state")
            .with("token", TOKEN, "of its programs; empty where they cannot use it")
            .with("sessions", new Schema.Whole(0, MOST_SESSIONS), "programs that use it")
            .with("use", new Schema.Many(useSchema()), "what it has had since its grant")
            .with(
                "away",
                new Schema.Whole(0, MOST_SESSIONS),
                "of these, those that have lost their connection")
            .may("share", Schema.of(Parameter.SHARE), "thousandths that it has of each device")
            .may("programs", new Schema.Many(programSchema()), "those that use it, or some");
    return new Schema.Fields()
        .with("term", Schema.count(), "of the broker whose orders the node obeys; 0 for none")
        .with("version", Schema.count(), "of the last orders that it has carried out")
        .with("taken", Schema.count(), "the highest epoch of a grant that it has taken")
        .with("endpoints", new Schema.Many(URI), "where programs connect to")
        .with("gpus", new Schema.Many(gpu), "that can be leased")
        .with("leases", new Schema.Many(lease), "that it has, and ended ones that it is to have");
  }

  private static Schema.Fields programSchema() {
    Schema.Fields program =
        new Schema.Fields()
            .with("client", Schema.text(MOST_TEXT), "the program, with its process")
            .with("functions", FUNCTIONS, "that it called most, with the count of each");
    NodeProgram.FIGURES.forEach((figure, says) -> program.with(figure, COUNTED, says));
    return program;
  }

  private static Schema.Fields useSchema() {
    Schema perhaps = new Schema.Nullable(COUNTED);
    return new Schema.Fields()
        .with("uuid", Schema.of(Parameter.GPU), "of a device")
        .with("bytesIn", COUNTED, "that came from programs")
        .with("bytesOut", COUNTED, "that went to them")
        .with("busy", perhaps, "nanoseconds in which it had work of them; null if not measured")
        .with("energy", perhaps, "millijoules; null if not measured");
  }

  /** The schema of orders. */
  public static Schema.Fields ordersSchema() {
    Schema.Fields order =
        new Schema.Fields()
            .with(
                "action", labels(NodeOrders.Action.values(), NodeJson::label), "what is to be done")
            .with("id", ID, "of the lease")
            .with("epoch", Schema.count(), "of its grant")
            .with(
                "state",
                labels(LeaseState.values(), LeaseState::label),
                "of the lease; of one that is to end, its end")
            .with("reason", Schema.text(), "why, for people")
            .with("uuids", new Schema.Many(Schema.text()), "of its devices of this node")
            .with("tenant", Schema.text(), "on whose account")
            .with("consumer", Schema.text(), "who uses it")
            .with("share", Schema.of(Parameter.SHARE), "thousandths of each device")
            .with(
                "memory",
                Schema.of(Parameter.MEMORY),
                "bytes of each device; 0 for the share of it")
            .with("priority", Schema.of(Parameter.PRIORITY), "higher ones come first")
            .with("seconds", Schema.of(Parameter.SECONDS), "for how long it was asked for")
            .with(
                "grace",
                new Schema.Nullable(Schema.of(Parameter.GRACE)),
                "seconds; null: the node's time")
            .with("idleSuspend", Schema.of(Parameter.IDLE_SUSPEND), "seconds; 0: the node's")
            .with("idleRevoke", Schema.of(Parameter.IDLE_REVOKE), "seconds; 0: the node's")
            .with("requested", MOMENT, "when; milliseconds since 1970")
            .with("granted", MOMENT, "when")
            .with("expires", MOMENT, "when it ends at the latest")
            .with("consumerType", Schema.text(), "vm, job, process or empty")
            .with("consumerId", Schema.text(), "of the virtual machine or the job")
            .with("user", Schema.text(), "global name")
            .with("fqan", Schema.text(), "virtual organisation, group and role")
            .with("site", Schema.text(), "where it is registered")
            .may(
                "others",
                new Schema.Many(partSchema()),
                "the parts of other nodes, where programs of the lease connect to this one");
    return new Schema.Fields()
        .with("term", Schema.count(), "of the broker: a node obeys none of an earlier term")
        .with("version", Schema.count(), "of these orders")
        .may("now", MOMENT, "by the broker's clock, which need not be the node's")
        .with("orders", new Schema.Many(order), "one a lease; the node is to have no other");
  }

  private static Schema.Fields partSchema() {
    return new Schema.Fields()
        .with("node", Schema.of(Parameter.NODE), "that has it")
        .with("endpoint", PERHAPS_URI, "where its backend is; empty while that is not known")
        .with("token", TOKEN, "of the part; empty until its node has taken it");
  }

  /** Empty, too. */
  private static List<String> architectures() {
    return Stream.concat(
            Stream.of(""), Arrays.stream(Architecture.values()).map(Architecture::label))
        .toList();
  }

  private static <T> Schema labels(T[] values, Function<T, String> label) {
    return Schema.oneOf(Arrays.stream(values).map(label).toList());
  }

  private static String label(NodeOrders.Action action) {
    return action.name().toLowerCase(Locale.ROOT);
  }

  /** Writes a report. */
  public static Map<String, Object> of(NodeReport report) {
    return Ordered.of(
        "term",
        report.term(),
        "version",
        report.version(),
        "taken",
        report.taken(),
        "endpoints",
        report.endpoints(),
        "gpus",
        report.gpus().stream().map(gpu -> of(gpu, report)).toList(),
        "leases",
        report.held().stream().map(NodeJson::of).toList());
  }

  private static Map<String, Object> of(Gpu gpu, NodeReport report) {
    Map<String, Object> object =
        Ordered.of(
            "number", gpu.number(),
            "uuid", gpu.uuid(),
            "model", gpu.model(),
            "memory", gpu.memory(),
            "arch", Architecture.label(gpu.architecture()));
    object.putAll(report.figures().getOrDefault(gpu.uuid(), Map.of()));
    return object;
  }

  private static Map<String, Object> of(NodeReport.Held held) {
    Map<String, Object> object =
        Ordered.of(
            "id", held.id(),
            "epoch", held.epoch(),
            "state", held.state().label(),
            "reason", held.reason(),
            "token", held.token().map(Token::digits).orElse(""),
            "sessions", held.sessions(),
            "away", held.away(),
            "use", held.use().stream().map(NodeJson::of).toList(),
            "programs", held.programs().stream().map(NodeJson::of).toList());
    held.share().ifPresent(share -> object.put("share", share));
    return object;
  }

  private static Map<String, Object> of(NodeProgram program) {
    Map<String, Object> object =
        Ordered.of("client", line(program.client()), "functions", program.functions());
    object.putAll(program.figures());
    return object;
  }

  private static NodeProgram program(Map<String, Object> object) {
    return new NodeProgram(
        line((String) object.get("client")),
        (String) object.get("functions"),
        NodeProgram.FIGURES.keySet().stream()
            .collect(Collectors.toMap(figure -> figure, figure -> (Long) object.get(figure))));
  }

  private static Map<String, Object> of(GpuUse use) {
    return Ordered.of(
        "uuid", use.gpu().uuid(),
        "bytesIn", use.bytesIn(),
        "bytesOut", use.bytesOut(),
        "busy", perhaps(use.busy()),
        "energy", perhaps(use.energy()));
  }

  /** Null where it is not there. */
  private static Long perhaps(OptionalLong number) {
    return number.isPresent() ? (Long) number.getAsLong() : null;
  }

  private static OptionalLong perhaps(Object number) {
    return number == null ? OptionalLong.empty() : OptionalLong.of((Long) number);
  }

  private static GpuUse use(Map<String, Object> object) {
    return new GpuUse(
        new GpuId(Gpu.HERE, (String) object.get("uuid")),
        (Long) object.get("bytesIn"),
        (Long) object.get("bytesOut"),
        perhaps(object.get("busy")),
        perhaps(object.get("energy")));
  }

  /**
   * Reads a report that has its schema.
   *
   * @throws IllegalArgumentException if it names a device or a lease twice
   */
  public static NodeReport report(Map<String, Object> object) {
    return new NodeReport(
        (Long) object.get("term"),
        (Long) object.get("version"),
        (Long) object.get("taken"),
        texts(object.get("endpoints")),
        objects(object.get("gpus")).stream().map(NodeJson::gpu).toList(),
        objects(object.get("leases")).stream().map(NodeJson::held).toList(),
        objects(object.get("gpus")).stream()
            .collect(
                Collectors.toMap(
                    gpu -> (String) gpu.get("uuid"), NodeJson::figures, (one, _) -> one)));
  }

  private static Map<String, Long> figures(Map<String, Object> gpu) {
    return NodeReport.FIGURES.stream()
        .filter(gpu::containsKey)
        .collect(Collectors.toMap(figure -> figure, figure -> (Long) gpu.get(figure)));
  }

  private static Gpu gpu(Map<String, Object> object) {
    return new Gpu(
        Math.toIntExact((Long) object.get("number")),
        (String) object.get("uuid"),
        (String) object.get("model"),
        (Long) object.get("memory"),
        Architecture.labelled((String) object.get("arch")));
  }

  private static NodeReport.Held held(Map<String, Object> object) {
    return new NodeReport.Held(
        (String) object.get("id"),
        (Long) object.get("epoch"),
        LeaseState.of((String) object.get("state")),
        line((String) object.get("reason")),
        token(object),
        Math.toIntExact((Long) object.get("sessions")),
        (Long) object.get("away"),
        objects(object.get("use")).stream().map(NodeJson::use).toList(),
        object.get("share") instanceof Long share
            ? OptionalInt.of(Math.toIntExact(share))
            : OptionalInt.empty(),
        objects(object.getOrDefault("programs", List.of())).stream()
            .map(NodeJson::program)
            .toList());
  }

  /** A node may have much to say; the store, logs and terminals have it in a line. */
  private static String line(String told) {
    String line = Printable.of(told);
    return line.codePointCount(0, line.length()) <= MOST_TEXT
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MOST_TEXT));
  }

  /** Writes orders. */
  public static Map<String, Object> of(NodeOrders orders) {
    return Ordered.of(
        "term",
        orders.term(),
        "version",
        orders.version(),
        "now",
        orders.now().toEpochMilli(),
        "orders",
        orders.orders().stream().map(NodeJson::of).toList());
  }

  /** A node of an older release knows nothing of other parts, and has none. */
  private static Map<String, Object> of(NodeOrders.Order order) {
    Map<String, Object> object = plain(order);
    if (!order.others().isEmpty()) {
      object.put("others", order.others().stream().map(NodeJson::of).toList());
    }
    return object;
  }

  private static Map<String, Object> of(LeasePart part) {
    return Ordered.of(
        "node", part.node(),
        "endpoint", part.endpoint(),
        "token", part.token().map(Token::digits).orElse(""));
  }

  private static LeasePart part(Map<String, Object> object) {
    return new LeasePart(
        (String) object.get("node"), (String) object.get("endpoint"), token(object));
  }

  private static Optional<Token> token(Map<String, Object> object) {
    String token = (String) object.get("token");
    return token.isEmpty() ? Optional.empty() : Optional.of(Token.parse(token));
  }

  private static Map<String, Object> plain(NodeOrders.Order order) {
    Lease lease = order.lease();
    LeaseRequest request = lease.request();
    Identity identity = request.identity();
    return Ordered.of(
        "action", label(order.action()),
        "id", lease.id(),
        "epoch", lease.epoch(),
        "state", lease.state().label(),
        "reason", lease.reason(),
        "uuids", lease.gpus().stream().map(Gpu::uuid).toList(),
        "tenant", request.tenant(),
        "consumer", request.consumer(),
        "share", request.share(),
        "memory", request.memory(),
        "priority", request.priority(),
        "seconds", request.duration().toSeconds(),
        "grace", request.grace().map(Duration::toSeconds).orElse(null),
        "idleSuspend", request.idle().seconds(IdleStep.SUSPEND),
        "idleRevoke", request.idle().seconds(IdleStep.REVOKE),
        "requested", lease.requested().toEpochMilli(),
        "granted", lease.granted().toEpochMilli(),
        "expires", lease.expires().toEpochMilli(),
        "consumerType", identity.type(),
        "consumerId", identity.id(),
        "user", identity.user(),
        "fqan", identity.fqan(),
        "site", identity.site());
  }

  /**
   * Reads orders.
   *
   * @throws IllegalArgumentException if they are none
   */
  public static NodeOrders orders(Object value) {
    ordersSchema().check("the answer", value, NodeJson::refuse);
    Map<String, Object> object = object(value);
    return new NodeOrders(
        (Long) object.get("term"),
        (Long) object.get("version"),
        objects(object.get("orders")).stream().map(NodeJson::order).toList(),
        object.containsKey("now") ? moment(object.get("now")) : Instant.EPOCH);
  }

  private static void refuse(String why) {
    throw new IllegalArgumentException(why);
  }

  private static NodeOrders.Order order(Map<String, Object> object) {
    String action = (String) object.get("action");
    return new NodeOrders.Order(
        NodeOrders.Action.valueOf(action.toUpperCase(Locale.ROOT)),
        lease(object),
        objects(object.getOrDefault("others", List.of())).stream().map(NodeJson::part).toList());
  }

  /** Its devices have no more than their UUIDs: the node knows them. */
  private static Lease lease(Map<String, Object> object) {
    List<Gpu> gpus =
        texts(object.get("uuids")).stream().map(uuid -> new Gpu(0, uuid, "", 0)).toList();
    LeaseRequest request =
        LeaseRequest.builder()
            .tenant((String) object.get("tenant"))
            .consumer((String) object.get("consumer"))
            .gpus(gpus.size())
            .share(Math.toIntExact((Long) object.get("share")))
            .memory((Long) object.get("memory"))
            .priority(Math.toIntExact((Long) object.get("priority")))
            .duration(Duration.ofSeconds((Long) object.get("seconds")))
            .grace(Optional.ofNullable((Long) object.get("grace")).map(Duration::ofSeconds))
            .idle(
                IdleLimits.NONE
                    .with(IdleStep.SUSPEND, limit(object.get("idleSuspend")))
                    .with(IdleStep.REVOKE, limit(object.get("idleRevoke"))))
            .identity(
                new Identity(
                    (String) object.get("consumerType"),
                    (String) object.get("consumerId"),
                    (String) object.get("user"),
                    (String) object.get("fqan"),
                    (String) object.get("site")))
            .keep(Duration.ZERO)
            .build();
    return new Lease(
        (String) object.get("id"),
        request,
        LeaseState.of((String) object.get("state")),
        (Long) object.get("epoch"),
        gpus,
        moment(object.get("requested")),
        moment(object.get("granted")),
        moment(object.get("expires")),
        Instant.EPOCH,
        line((String) object.get("reason")));
  }

  private static Duration limit(Object seconds) {
    return (Long) seconds == 0 ? null : Duration.ofSeconds((Long) seconds);
  }

  private static Instant moment(Object milliseconds) {
    return Instant.ofEpochMilli((Long) milliseconds);
  }

  @SuppressWarnings("unchecked") // The schema is of an object.
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  private static List<Map<String, Object>> objects(Object value) {
    return ((List<?>) value).stream().map(NodeJson::object).toList();
  }

  private static List<String> texts(Object value) {
    return ((List<?>) value).stream().map(String.class::cast).toList();
  }
}
