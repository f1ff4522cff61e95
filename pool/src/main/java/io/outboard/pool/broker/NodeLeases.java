// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.node.PoolNode;
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
import java.util.Set;

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

  /** The node that has a lease. */
  private static String node(Lease lease) {
    return lease.gpus().getFirst().node();
  }

  private NodeLink link(String node) {
    return links.computeIfAbsent(node, _ -> new NodeLink());
  }

  private void changed(Lease lease) {
    if (!isElsewhere(lease)) {
      return;
    }
    NodeLink link = link(node(lease));
    if (lease.state() == LeaseState.DRAINING) {
      link.ends(lease.id());
    } else if (lease.state().isEnd()) {
      asides.remove(lease.id());
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
    return !link.hasOthers() && (restored ? link.term() == term() : link.term() <= term());
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
      if (report.term() > term()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "node {0} has obeyed a later broker than this one, and gets no lease: if the store was"
                + " restored from a backup, start the broker with --restored",
            node);
      }
      return;
    }
    leases.grantsAbove(report.taken());
    if (report.term() > term()) {
      term = store.lead(report.term());
      LOG.log(System.Logger.Level.WARNING, "this broker has term {0} from now on", term);
    }
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
      link.reported(report, clock.instant(), report.held().stream().anyMatch(this::isOthers));
      boolean knows = report.term() == term();
      leases.holding().stream()
          .filter(lease -> isElsewhere(lease) && node(lease).equals(node))
          .forEach(lease -> follow(lease, link, knows ? report.version() : 0));
      broker.tick();
      broker.notifyAll();
    }
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
  private void follow(Lease lease, NodeLink link, long version) {
    Optional<NodeReport.Held> held = link.held(lease.id(), lease.epoch());
    if (held.isPresent()) {
      leases.countUpTo(lease.id(), held.get().use());
      follow(lease, held.get());
    } else if (isEnding(lease) && version >= link.endsWith(lease.id())) {
      broker.finish(lease, ending(lease), clock.instant(), lease.reason());
    }
  }

  private boolean isEnding(Lease lease) {
    return lease.state() == LeaseState.DRAINING
        || used.get(lease.id()).flatMap(UsedLease::ending).isPresent();
  }

  private void follow(Lease lease, NodeReport.Held held) {
    Instant now = clock.instant();
    if (held.state().isEnd()) {
      Optional<LeaseState> ending = used.get(lease.id()).flatMap(UsedLease::ending);
      String reason = held.reason().isEmpty() ? lease.reason() : held.reason();
      broker.finish(lease, ending.orElse(held.state()), now, reason);
    } else if (held.state().isSuspended() && asides.remove(lease.id())) {
      leases.move(lease.id(), LeaseState.SUSPENDED, now, held.reason());
    } else if (held.state() != lease.state()
        && !lease.state().isSuspended()
        && (held.state() == LeaseState.ACTIVE || held.state() == LeaseState.IDLE)
        && lease.state().mayBecome(held.state())
        && lease.state() != LeaseState.DRAINING) {
      leases.move(lease.id(), held.state(), now, "");
    }
  }

  private LeaseState ending(Lease lease) {
    return used.get(lease.id()).flatMap(UsedLease::ending).orElse(LeaseState.RELEASED);
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
    List<NodeOrders.Order> orders =
        leases.holding().stream()
            .filter(lease -> isElsewhere(lease) && node(lease).equals(node))
            .map(this::order)
            .toList();
    return new NodeOrders(term(), link.version(), orders);
  }

  private NodeOrders.Order order(Lease lease) {
    Optional<LeaseState> ending = used.get(lease.id()).flatMap(UsedLease::ending);
    if (ending.isPresent()) {
      return new NodeOrders.Order(NodeOrders.Action.END, lease.in(ending.get()));
    }
    return new NodeOrders.Order(action(lease), lease);
  }

  private NodeOrders.Action action(Lease lease) {
    if (lease.state().isSuspended() || asides.contains(lease.id())) {
      return NodeOrders.Action.SUSPEND;
    }
    return lease.state() == LeaseState.DRAINING ? NodeOrders.Action.DRAIN : NodeOrders.Action.HOLD;
  }

  /** Has the node of a lease put it aside; it is once the node says so. */
  void putAside(Lease lease) {
    if (asides.add(lease.id())) {
      link(node(lease)).change();
    }
  }

  /** Those that were put aside go on, where there is room. */
  void resumeWhoCan(Instant now) {
    for (Lease lease : leases.holding()) {
      if (lease.state().isSuspended() && isElsewhere(lease) && broker.canGoOn(lease)) {
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
      link(node(lease)).ends(lease.id());
      changed(lease);
    } else {
      leases.move(lease.id(), LeaseState.DRAINING, now, reason);
    }
  }

  /** Waits until the node of a lease has taken it, if there is anything to wait for. */
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
        .filter(lease -> isPresent(node(lease)) && held(lease).isEmpty())
        .isPresent();
  }

  private Optional<NodeReport.Held> held(Lease lease) {
    return Optional.ofNullable(links.get(node(lease)))
        .flatMap(link -> link.held(lease.id(), lease.epoch()));
  }

  /** With which programs use a lease, once its node has taken it. */
  Optional<Token> token(Lease lease) {
    synchronized (broker) {
      return held(lease).flatMap(NodeReport.Held::token);
    }
  }

  /** Where programs of a lease connect to; empty where its node has not said. */
  List<String> endpoints(Lease lease) {
    synchronized (broker) {
      return link(node(lease)).endpoints();
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
      leases.holding().stream()
          .filter(lease -> isElsewhere(lease) && node(lease).equals(node))
          .forEach(
              lease ->
                  broker.finish(
                      lease,
                      LeaseState.REVOKED,
                      clock.instant(),
                      "node " + node + " has been removed"));
      leases.inventory().set(node, List.of());
      link(node).change();
      links.remove(node);
      broker.tick();
    }
  }
}
