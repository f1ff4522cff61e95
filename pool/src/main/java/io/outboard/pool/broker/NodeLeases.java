// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.node.LeasePart;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.node.PoolNode;
import io.outboard.lease.node.Terms;
import io.outboard.lease.schedule.LivingLeases;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The leases of devices that other nodes have. A node asks for those that it is to have, and
 * reports those that it has: nobody else gets a device before its node has said that the lease is
 * over there, however long that takes. Guarded by the broker's monitor.
 */
public final class NodeLeases {
  private static final System.Logger LOG = System.getLogger(NodeLeases.class.getName());

  /** A node that has not reported for so long gets no new lease; those that it has stay. */
  private static final Duration PRESENT = Duration.ofSeconds(20);

  /** How long somebody waits for a node to take a lease. */
  private static final Duration TAKEN = Duration.ofSeconds(10);

  /** A node that says more is not believed: numbers would come to their end. */
  private static final long MOST_BEHIND = 1L << 60;

  private final Broker broker;
  private final LivingLeases leases;
  private final UsedLeases used;
  private final NodeStore store;
  private final InstantSource clock;
  private final Map<String, NodeLink> links = new HashMap<>();
  // By their ids, those whose nodes are to put them aside.
  private final Set<String> asides = new HashSet<>();
  // By their ids, why somebody wants them suspended, until their nodes have said that they are.
  private final Map<String, String> pauses = new HashMap<>();
  // By their ids, the shares that they are to have, until their nodes have said that they do.
  private final Map<String, ShareChange> shares = new HashMap<>();
  // By their ids, why nodes have not suspended them, or given them another share.
  private final Map<String, String> refusals = new HashMap<>();
  private boolean restored;
  private long term;

  NodeLeases(
      Broker broker, LivingLeases leases, UsedLeases used, NodeStore store, InstantSource clock) {
    this.broker = broker;
    this.leases = leases;
    this.used = used;
    this.store = store;
    this.clock = clock;
    leases.onKept(this::changed);
  }

  /** Whether the devices of a lease are another node's. */
  static boolean isElsewhere(Lease lease) {
    return lease.gpus().stream().anyMatch(NodeLeases::isElsewhere);
  }

  static boolean isElsewhere(Gpu gpu) {
    return !gpu.node().equals(Gpu.HERE);
  }

  /** The node that programs of a lease connect to. */
  private static String first(Lease lease) {
    return lease.gpus().getFirst().node();
  }

  /** All nodes of a lease, the one that programs connect to first. */
  private static List<String> nodes(Lease lease) {
    return lease.gpus().stream().map(Gpu::node).distinct().toList();
  }

  /** The part of a lease that a node has. */
  private static Lease part(Lease lease, String node) {
    return lease.of(lease.gpus().stream().filter(gpu -> gpu.node().equals(node)).toList());
  }

  /** Those that are not over, and of which a node has a part. */
  private List<Lease> of(String node) {
    return leases.holding().stream().filter(lease -> nodes(lease).contains(node)).toList();
  }

  private NodeLink link(String node) {
    return links.computeIfAbsent(node, _ -> new NodeLink());
  }

  private void changed(Lease lease) {
    if (!isElsewhere(lease)) {
      return;
    }
    if (lease.state().isEnd()) {
      asides.remove(lease.id());
      pauses.remove(lease.id());
      shares.remove(lease.id());
      refusals.remove(lease.id());
    }
    nodes(lease).forEach(node -> changed(lease, link(node)));
  }

  private static void changed(Lease lease, NodeLink link) {
    if (lease.state() == LeaseState.DRAINING) {
      link.ends(lease.id());
    } else if (lease.state().isEnd()) {
      link.over(lease.id());
    }
    link.change();
  }

  /** Whether a node has said lately that it is there. */
  boolean isPresent(String node) {
    Instant least = clock.instant().minus(PRESENT);
    return node.equals(Gpu.HERE)
        || (links.containsKey(node) && least.isBefore(link(node).reported()) && obeys(link(node)));
  }

  /**
   * A node that has obeyed a later broker takes no orders of this one. One that has leases of which
   * this one does not know is to end them first: it would have no room for others.
   */
  private boolean obeys(NodeLink link) {
    return !link.hasOthers() && (restored ? link.term() == term() : !isOfALaterBroker(link.term()));
  }

  private boolean isOfALaterBroker(long obeyed) {
    return obeyed > term() || Terms.fork(obeyed, term());
  }

  /**
   * The store was restored from a backup, and nodes may have obeyed later brokers, and taken later
   * grants, than it knows of: they are to obey this one from now on. Only who leads the store can
   * do so. Leases that the store does not know end on their nodes before others get the devices.
   */
  public void restored() {
    synchronized (broker) {
      restored = true;
    }
  }

  private void compare(String node, NodeReport report) {
    long most = Math.max(report.term(), report.taken());
    if (!restored || most > MOST_BEHIND) {
      if (isOfALaterBroker(report.term())) {
        LOG.log(
            System.Logger.Level.WARNING,
            "node {0} has obeyed a later broker than this one, and gets no lease: if the store was"
                + " restored from a backup, start the broker with --restored",
            node);
      }
      return;
    }
    leases.grantsAbove(report.taken());
    if (isOfALaterBroker(report.term())) {
      term = store.lead(report.term());
      LOG.log(System.Logger.Level.WARNING, "this broker has term {0} from now on", term);
    }
  }

  /** Adds to a row what its node said lately of the present state of a device. */
  Form addTo(Form row, Gpu gpu) {
    if (isPresent(gpu.node())) {
      link(gpu.node()).figures(gpu.uuid()).forEach(row::with);
    }
    return row;
  }

  /** Adds what nodes say that their leases have had since their grants, by the leases' ids. */
  void addTo(Map<String, LeaseWork> work) {
    links.values().stream()
        .flatMap(link -> link.held().stream())
        .filter(held -> !held.state().isEnd())
        .forEach(held -> work.merge(held.id(), LeaseWork.of(held), LeaseWork::plus));
  }

  /** The programs of leases that nodes have, as rows of a control connection. */
  Stream<Form> programs() {
    return links.entrySet().stream()
        .flatMap(
            node -> node.getValue().held().stream().flatMap(held -> programs(node.getKey(), held)));
  }

  private Stream<Form> programs(String node, NodeReport.Held held) {
    return leases.get(held.id()).stream()
        .flatMap(
            lease ->
                held.programs().stream()
                    .map(program -> UsedLease.of(program.row(), lease).with("node", node)));
  }

  /** The nodes of the pool. */
  public List<PoolNode> all() {
    return store.all();
  }

  /** When a node has reported last; {@link Instant#EPOCH} if not to this process. */
  public Instant reported(String node) {
    synchronized (broker) {
      return links.containsKey(node) ? link(node).reported() : Instant.EPOCH;
    }
  }

  /**
   * A node says what it has.
   *
   * @param node whose name has been proven
   */
  public void report(String node, NodeReport report) {
    synchronized (broker) {
      NodeLink link = link(node);
      describe(node, report);
      compare(node, report);
      Map<String, LeasePart> before = parts(node);
      link.reported(report, clock.instant(), report.held().stream().anyMatch(this::isOthers));
      boolean knows = report.term() == term();
      of(node).forEach(lease -> follow(lease, node, knows ? report.version() : 0));
      tellFirst(node, before);
      broker.tick();
      broker.notifyAll();
    }
  }

  /** The parts that a node has of leases whose programs connect to another one, by their ids. */
  private Map<String, LeasePart> parts(String node) {
    return of(node).stream()
        .filter(lease -> !first(lease).equals(node))
        .collect(Collectors.toMap(Lease::id, lease -> other(lease, node)));
  }

  /** The nodes that open sessions with this one have other orders where its parts are others. */
  private void tellFirst(String node, Map<String, LeasePart> before) {
    parts(node).entrySet().stream()
        .filter(part -> !part.getValue().equals(before.get(part.getKey())))
        .map(part -> leases.get(part.getKey()).orElseThrow())
        .forEach(lease -> link(first(lease)).change());
  }

  private LeasePart other(Lease lease, String node) {
    return new LeasePart(
        node,
        link(node).endpoints().stream().findFirst().orElse(""),
        link(node).held(lease.id(), lease.epoch()).flatMap(NodeReport.Held::token));
  }

  private boolean isOthers(NodeReport.Held held) {
    return !held.state().isEnd() && leases.get(held.id()).isEmpty();
  }

  private void describe(String node, NodeReport report) {
    List<Gpu> gpus = report.gpus().stream().map(gpu -> gpu.on(node)).toList();
    boolean same = gpus.equals(leases.inventory().of(node));
    if (!same || !link(node).endpoints().equals(report.endpoints())) {
      store.describe(node, report.endpoints(), gpus);
      leases.inventory().set(node, gpus);
      LOG.log(System.Logger.Level.INFO, "node {0} has {1} GPUs", node, gpus.size());
    }
  }

  /** A lease is as its node says; one that the node was told to end, and does not have, is over. */
  private void follow(Lease lease, String node, long version) {
    NodeLink link = link(node);
    Optional<NodeReport.Held> held = link.held(lease.id(), lease.epoch());
    if (held.isPresent()) {
      leases.countUpTo(lease.id(), held.get().use().stream().map(use -> use.on(node)).toList());
      follow(lease, node, held.get());
      followShare(lease.id(), node, held.get(), version);
    } else if (isEnding(lease) && version >= link.endsWith(lease.id())) {
      over(lease, node, LeaseState.RELEASED, lease.reason());
    }
  }

  /**
   * The part of a node is over. Its devices are free; where other nodes have parts, these end too,
   * and the lease is over with the last of them.
   */
  private void over(Lease lease, String node, LeaseState how, String reason) {
    Instant now = clock.instant();
    if (nodes(lease).size() == 1) {
      LeaseState end = used.get(lease.id()).flatMap(UsedLease::ending).orElse(how);
      broker.finish(lease, end, now, reason);
      return;
    }
    end(lease, how, now, reason);
    broker.leave(lease, node, now);
    link(node).over(lease.id());
    link(node).change();
  }

  private boolean isEnding(Lease lease) {
    return lease.state() == LeaseState.DRAINING
        || used.get(lease.id()).flatMap(UsedLease::ending).isPresent();
  }

  private void follow(Lease lease, String node, NodeReport.Held held) {
    if (held.state().isEnd()) {
      String reason = held.reason().isEmpty() ? lease.reason() : held.reason();
      over(lease, node, held.state(), reason);
    } else if (pauses.containsKey(lease.id())) {
      followPause(lease, held);
    } else if (held.state().isSuspended()
        && asides.remove(lease.id())
        && lease.state().mayBecome(LeaseState.SUSPENDED)) {
      leases.move(lease.id(), LeaseState.SUSPENDED, clock.instant(), held.reason());
    } else {
      follow(lease, together(lease));
    }
  }

  /** A lease that is to be suspended is, or its node says why it cannot be. */
  private void followPause(Lease lease, NodeReport.Held held) {
    String id = lease.id();
    boolean goesOn = held.reason().startsWith(OrderedLeases.GOES_ON);
    if (goesOn) {
      pauses.remove(id);
      refusals.put(id, held.reason().substring(OrderedLeases.GOES_ON.length()));
      link(first(lease)).change();
    } else if (held.state() == LeaseState.HELD && lease.state().mayBecome(LeaseState.HELD)) {
      String why = pauses.remove(id);
      String reason = why.isEmpty() ? held.reason() : why + ", " + held.reason();
      leases.move(id, LeaseState.HELD, clock.instant(), reason);
    }
  }

  /**
   * Has the node of a lease suspend it, so that others may have its devices until {@link #resume}.
   *
   * @param patience how long the node may take
   * @throws LeaseException if it cannot, or does not say so in time: the lease goes on then
   */
  Lease suspend(String id, Duration patience, String reason) throws LeaseException {
    synchronized (broker) {
      Lease lease = leases.served(id);
      if (lease.state() == LeaseState.HELD) {
        return lease;
      }
      checkSuspensible(lease);
      pauses.put(id, reason);
      link(first(lease)).change();
      broker.awaitWhile(() -> pauses.containsKey(id), clock.instant().plus(patience));
      String refusal = refusals.remove(id);
      if (pauses.remove(id) != null) {
        link(first(lease)).change();
        refusal = "its node has not said yet that it is suspended";
      }
      if (refusal != null) {
        throw new LeaseException(refusal);
      }
      broker.tick();
      return leases.find(id);
    }
  }

  /**
   * Has the nodes of a lease give it another share of its devices. More of them is nobody else's
   * from the beginning, less is free once all nodes have said so.
   *
   * @param patience how long the nodes may take
   * @throws LeaseException if it cannot have that share, or a node does not give it: it has the one
   *     of before then; or if a node does not say so in time: it has the new one once it does
   */
  Lease share(String id, int share, Duration patience) throws LeaseException {
    synchronized (broker) {
      Lease lease = broker.requireShareable(id, share);
      for (String node : nodes(lease)) {
        if (!isPresent(node)) {
          throw new LeaseException("node %s does not report".formatted(node));
        }
      }
      if (share > lease.request().share()) {
        Lease unused = broker.keepShare(lease, share);
      }
      nodes(lease).forEach(node -> link(node).change());
      shares.put(
          id,
          new ShareChange(
              lease.request().share(),
              share,
              nodes(lease).stream()
                  .collect(Collectors.toMap(node -> node, node -> link(node).version()))));
      broker.awaitWhile(() -> shares.containsKey(id), clock.instant().plus(patience));
      String refusal = refusals.remove(id);
      if (refusal != null) {
        throw new LeaseException(refusal);
      }
      if (shares.containsKey(id)) {
        throw new LeaseException(
            "a node has not said yet that lease %s has that share; it has it once it does"
                .formatted(id));
      }
      broker.tick();
      return leases.find(id);
    }
  }

  /**
   * The share of a lease is another one once all of its nodes say so, or as before if one cannot.
   */
  private void followShare(String id, String node, NodeReport.Held held, long version) {
    ShareChange change = shares.get(id);
    Optional<Lease> lease = leases.get(id);
    if (change == null || lease.isEmpty()) {
      return;
    }
    boolean refuses =
        held.reason().startsWith(OrderedLeases.GOES_ON)
            && version >= change.since().getOrDefault(node, Long.MAX_VALUE);
    if (refuses) {
      refusals.put(id, held.reason().substring(OrderedLeases.GOES_ON.length()));
      is(lease.get(), change.before());
    } else if (nodes(lease.get()).stream().allMatch(one -> has(lease.get(), one, change))) {
      is(lease.get(), change.wanted());
    }
  }

  private boolean has(Lease lease, String node, ShareChange change) {
    return link(node)
        .held(lease.id(), lease.epoch())
        .filter(held -> held.share().equals(OptionalInt.of(change.wanted())))
        .isPresent();
  }

  private void is(Lease lease, int share) {
    shares.remove(lease.id());
    if (lease.request().share() != share) {
      Lease unused = broker.keepShare(lease, share);
    }
    nodes(lease).forEach(node -> link(node).change());
  }

  private void checkSuspensible(Lease lease) throws LeaseException {
    if (nodes(lease).size() > 1) {
      throw new LeaseException("programs on several nodes cannot be suspended");
    }
    if (!lease.state().admits()) {
      throw new LeaseException("lease %s is %s".formatted(lease.id(), lease.state().label()));
    }
    if (!isPresent(first(lease))) {
      throw new LeaseException("node %s does not report".formatted(first(lease)));
    }
  }

  /**
   * Has a suspended lease go on, once others leave it its devices.
   *
   * @throws LeaseException if others have them for longer: it goes on after them
   */
  Lease resume(String id, Duration patience) throws LeaseException {
    synchronized (broker) {
      if (leases.served(id).state() == LeaseState.HELD) {
        leases.move(id, LeaseState.SUSPENDED, clock.instant(), "to be resumed");
      }
      broker.tick();
      broker.awaitWhile(
          () -> leases.isIn(id, LeaseState.SUSPENDED), clock.instant().plus(patience));
      if (leases.isIn(id, LeaseState.SUSPENDED)) {
        throw new LeaseException(
            "others have the GPUs of lease %s; it is resumed when they are free".formatted(id));
      }
      return leases.find(id);
    }
  }

  /** A lease is active while programs use a part of it. */
  private Set<LeaseState> together(Lease lease) {
    return nodes(lease).stream()
        .flatMap(node -> link(node).held(lease.id(), lease.epoch()).stream())
        .map(NodeReport.Held::state)
        .collect(Collectors.toSet());
  }

  private void follow(Lease lease, Set<LeaseState> parts) {
    LeaseState state = parts.contains(LeaseState.ACTIVE) ? LeaseState.ACTIVE : LeaseState.IDLE;
    if (parts.contains(state)
        && state != lease.state()
        && !lease.state().isSuspended()
        && lease.state().mayBecome(state)
        && lease.state() != LeaseState.DRAINING) {
      leases.move(lease.id(), state, clock.instant(), "");
    }
  }

  private long term() {
    if (term == 0) {
      term = store.lead(0);
    }
    return term;
  }

  /**
   * The orders of a node, at once where it knows others than the present ones, else when these
   * change, or after a time.
   *
   * @param node whose name has been proven
   */
  public NodeOrders orders(String node, long knownTerm, long knownVersion, Duration patience) {
    NodeLink link;
    boolean knows;
    synchronized (broker) {
      link = link(node);
      knows = knownTerm == term();
    }
    if (knows) {
      link.awaitOther(knownVersion, patience);
    }
    NodeOrders orders = now(node, link);
    broker.settle();
    return orders;
  }

  private NodeOrders now(String node, NodeLink link) {
    synchronized (broker) {
      return orders(node, link);
    }
  }

  private NodeOrders orders(String node, NodeLink link) {
    List<NodeOrders.Order> orders = of(node).stream().map(lease -> order(lease, node)).toList();
    return new NodeOrders(term(), link.version(), orders, clock.instant());
  }

  private NodeOrders.Order order(Lease lease, String node) {
    ShareChange change = shares.get(lease.id());
    Lease part = part(change == null ? lease : lease.withShare(change.wanted()), node);
    Optional<LeaseState> ending = used.get(lease.id()).flatMap(UsedLease::ending);
    return ending.isPresent()
        ? new NodeOrders.Order(NodeOrders.Action.END, part.in(ending.get()))
        : new NodeOrders.Order(action(lease), part, others(lease, node));
  }

  private List<LeasePart> others(Lease lease, String node) {
    return first(lease).equals(node)
        ? nodes(lease).stream().skip(1).map(other -> other(lease, other)).toList()
        : List.of();
  }

  private NodeOrders.Action action(Lease lease) {
    if (lease.state() == LeaseState.HELD || pauses.containsKey(lease.id())) {
      return NodeOrders.Action.PAUSE;
    }
    if (lease.state().isSuspended() || asides.contains(lease.id())) {
      return NodeOrders.Action.SUSPEND;
    }
    return lease.state() == LeaseState.DRAINING ? NodeOrders.Action.DRAIN : NodeOrders.Action.HOLD;
  }

  /** Has the node of a lease put it aside; it is once the node says so. */
  void putAside(Lease lease) {
    if (asides.add(lease.id())) {
      link(first(lease)).change();
    }
  }

  /** Those that were put aside go on, where there is room. */
  void resumeWhoCan(Instant now) {
    for (Lease lease : leases.holding()) {
      boolean waits = lease.state() == LeaseState.SUSPENDED;
      if (waits && isElsewhere(lease) && broker.canGoOn(lease)) {
        leases.move(lease.id(), LeaseState.IDLE, now, "");
      }
    }
  }

  /** Has the node of a lease end it; it is over when the node says so. */
  void end(Lease lease, LeaseState how, Instant now, String reason) {
    UsedLease sessions = used.of(lease);
    if (sessions.ending().isPresent()) {
      return;
    }
    sessions.ending(how);
    if (lease.state() == LeaseState.DRAINING) {
      changed(lease);
    } else if (lease.state().isSuspended()) {
      // It has given its devices away, and gets none back to end.
      link(first(lease)).ends(lease.id());
      changed(lease);
    } else {
      leases.move(lease.id(), LeaseState.DRAINING, now, reason);
    }
  }

  /** Waits until the nodes of a lease have taken it, if there is anything to wait for. */
  Lease taken(Lease lease) throws LeaseException {
    synchronized (broker) {
      Instant limit = clock.instant().plus(TAKEN);
      broker.awaitWhile(() -> isAwaited(lease.id()), limit);
      return leases.find(lease.id());
    }
  }

  private boolean isAwaited(String id) {
    return leases
        .get(id)
        .filter(lease -> lease.state().occupies() && isElsewhere(lease))
        .filter(lease -> nodes(lease).stream().allMatch(this::isPresent))
        .filter(lease -> held(lease).flatMap(NodeReport.Held::token).isEmpty())
        .isPresent();
  }

  /** As the node has it that programs connect to. */
  private Optional<NodeReport.Held> held(Lease lease) {
    return Optional.ofNullable(links.get(first(lease)))
        .flatMap(link -> link.held(lease.id(), lease.epoch()));
  }

  /** With which programs use a lease, once its nodes have taken it. */
  Optional<Token> token(Lease lease) {
    synchronized (broker) {
      return held(lease).flatMap(NodeReport.Held::token);
    }
  }

  /** Where programs of a lease connect to; empty where its node has not said. */
  List<String> endpoints(Lease lease) {
    synchronized (broker) {
      return link(first(lease)).endpoints();
    }
  }

  /** How many sessions use a lease. */
  int sessions(Lease lease) {
    return held(lease).map(NodeReport.Held::sessions).orElse(0);
  }

  /** How many of these have lost their connection. */
  long away(Lease lease) {
    return held(lease).map(NodeReport.Held::away).orElse(0L);
  }

  /**
   * A node is of the pool no more: it is refused from now on, and its leases are over, as nobody
   * can know what becomes of them.
   */
  public void remove(String node) {
    synchronized (broker) {
      store.remove(node);
      String reason = "node " + node + " has been removed";
      of(node).forEach(lease -> over(lease, node, LeaseState.REVOKED, reason));
      leases.inventory().set(node, List.of());
      link(node).change();
      links.remove(node);
      broker.tick();
    }
  }
}
