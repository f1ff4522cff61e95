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
import io.outboard.lease.schedule.LivingLeases;
import io.outboard.lease.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
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
 * The leases that the broker of several nodes wants this node to have. The node decides what really
 * happens: it takes a lease only where there is room, refuses grants and brokers of the past, and
 * goes on with what it has while no broker is there. Guarded by the local broker's monitor.
 */
public final class OrderedLeases {
  private static final System.Logger LOG = System.getLogger(OrderedLeases.class.getName());

  /** Why a lease is suspended that the broker wants to be. */
  static final String ASIDE = "a lease of a better class has its GPUs";

  /** Why a lease is suspended that somebody has asked the broker to suspend. */
  static final String PAUSED = "suspended at the broker";

  /** Programs of a lease that a report tells of. */
  private static final int MOST_PROGRAMS = 16;

  /** Programs of all leases that it tells of. */
  private static final int MOST_OF_ALL = 1_000;

  /**
   * The beginning of the reason of a lease that the broker wants suspended, or to have another
   * share, and that goes on as it was.
   */
  static final String GOES_ON = "it goes on: ";

  /** How long calls and work that are under way may still take. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Broker broker;
  private final LivingLeases leases;
  private final NodeStore store;
  private final InstantSource clock;
  // Why, by the ids of leases that are ordered.
  private final Map<String, String> refused = new HashMap<>();
  // By their ids, those that are being suspended or resumed.
  private final Set<String> moving = new HashSet<>();
  // By the leases' ids, what other nodes have of them; as the store has it.
  private final Map<String, List<LeasePart>> parts;
  // By their ids, when they end, as the broker has said it last and by its clock.
  private final Map<String, Instant> ends = new HashMap<>();
  private List<NodeOrders.Order> orders = List.of();
  private long term;
  private long version;
  private String whose = "";

  OrderedLeases(Broker broker, LivingLeases leases, NodeStore store, InstantSource clock) {
    this.broker = broker;
    this.leases = leases;
    this.store = store;
    this.clock = clock;
    this.parts = new HashMap<>(store.parts());
  }

  /**
   * From now on the devices are a broker's to lease.
   *
   * @param url where that is, for people
   */
  public void are(String url) {
    synchronized (broker) {
      whose = url;
    }
  }

  /** Whether there are leases already that somebody asked this node for. */
  public boolean hasOthers() {
    return leases.all().stream().anyMatch(LivingLeases::isLeased);
  }

  /** Where the broker is that leases the devices, if it is not this one. */
  Optional<String> broker() {
    return whose.isEmpty() ? Optional.empty() : Optional.of(whose);
  }

  /**
   * Carries out orders; what cannot be done is in the next report.
   *
   * @throws LeaseException if they are of a broker of the past
   */
  public void obey(NodeOrders wanted) throws LeaseException {
    synchronized (broker) {
      if (!store.follow(wanted.term())) {
        throw new LeaseException(
            "orders of term %d are of a broker of the past".formatted(wanted.term()));
      }
      if (wanted.term() == term && wanted.version() < version) {
        return;
      }
      orders = wanted.orders();
      List<String> ids = orders.stream().map(order -> order.lease().id()).toList();
      refused.keySet().retainAll(ids);
      ends.keySet().retainAll(ids);
      orders.forEach(order -> remember(order.lease().id(), order.others()));
      Duration ahead = ahead(wanted.now());
      orders.forEach(order -> carryOut(order, ahead));
      endOthers();
      term = wanted.term();
      version = wanted.version();
      broker.tick();
      broker.changed();
    }
  }

  /** A new process knows them before a broker answers it. */
  private void remember(String lease, List<LeasePart> wanted) {
    List<LeasePart> known = parts.getOrDefault(lease, List.of());
    List<LeasePart> others = wanted.stream().map(part -> newer(part, known)).toList();
    if (!others.equals(known)) {
      store.parts(lease, others);
      parts.put(lease, others);
    }
  }

  /** A broker that has just begun may not have heard of the other node yet. */
  private static LeasePart newer(LeasePart part, List<LeasePart> known) {
    return part.isTaken()
        ? part
        : known.stream().filter(one -> one.node().equals(part.node())).findFirst().orElse(part);
  }

  /**
   * The parts of a lease that other nodes have, for whose programs this one opens sessions.
   *
   * @throws LeaseException if another node has not taken its part yet
   */
  List<LeasePart> parts(Lease lease) throws LeaseException {
    List<LeasePart> others = parts.getOrDefault(lease.id(), List.of());
    for (LeasePart part : others) {
      if (!part.isTaken()) {
        throw new LeaseException(
            "node %s has not taken its part of lease %s yet".formatted(part.node(), lease.id()));
      }
    }
    return others;
  }

  private boolean isWhole(Lease lease) {
    return parts.getOrDefault(lease.id(), List.of()).stream().allMatch(LeasePart::isTaken);
  }

  /**
   * How far this node's clock is ahead of the broker's: neither is to end a lease sooner or later
   * because one of them is wrong, or was set.
   */
  private Duration ahead(Instant broker) {
    return broker.equals(Instant.EPOCH) ? Duration.ZERO : Duration.between(broker, clock.instant());
  }

  private void carryOut(NodeOrders.Order order, Duration ahead) {
    Lease lease = order.lease();
    try {
      switch (order.action()) {
        case HOLD -> hold(lease, ahead);
        case SUSPEND -> putAside(lease);
        case PAUSE -> pause(lease);
        case DRAIN -> drain(lease);
        case END -> end(lease.id(), lease.state(), lease.reason());
      }
      if (order.action() != NodeOrders.Action.PAUSE) {
        refused.remove(lease.id());
      }
    } catch (LeaseException | StoreException e) {
      if (refused.put(lease.id(), e.getMessage()) == null) {
        LOG.log(
            System.Logger.Level.WARNING, "lease {0} is refused: {1}", lease.id(), e.getMessage());
      }
    }
  }

  private void hold(Lease wanted, Duration ahead) throws LeaseException {
    Optional<Lease> known = leases.get(wanted.id());
    if (known.isPresent()) {
      goOn(known.get(), wanted, ahead);
    } else if (store(wanted.id()).isEmpty()) {
      leases.take(here(wanted).until(wanted.expires().plus(ahead)));
      ends.put(wanted.id(), wanted.expires());
    }
  }

  private Optional<Lease> store(String id) {
    try {
      return Optional.of(leases.find(id));
    } catch (LeaseException e) {
      return Optional.empty();
    }
  }

  private void goOn(Lease known, Lease wanted, Duration ahead) throws LeaseException {
    if (known.epoch() != wanted.epoch()) {
      throw new LeaseException("it is here with another grant");
    }
    if (!wanted.expires().equals(ends.put(wanted.id(), wanted.expires()))) {
      broker.endsAt(known.id(), wanted.expires().plus(ahead));
    }
    if (known.state() == LeaseState.HELD && isOrdered(known.reason())) {
      move(known.id(), () -> broker.suspensions().resume(known.id(), PATIENCE));
    }
    if (known.request().share() != wanted.request().share()) {
      share(known.id(), wanted.request().share());
    }
  }

  private void share(String id, int share) throws LeaseException {
    try {
      Lease unused = broker.share(id, share);
    } catch (LeaseException e) {
      throw new LeaseException(GOES_ON + e.getMessage());
    }
  }

  /** Whether a lease is suspended as the broker wants it to be, and not as this node does. */
  private static boolean isOrdered(String reason) {
    return reason.startsWith(ASIDE) || reason.startsWith(PAUSED);
  }

  /** One that cannot be suspended is asked for no more, until the orders are others. */
  private void pause(Lease wanted) {
    String id = wanted.id();
    Optional<Lease> known = leases.get(id);
    if (known.isPresent() && known.get().state() != LeaseState.HELD && !refused.containsKey(id)) {
      move(id, () -> pause(id));
    }
  }

  private void pause(String id) {
    try {
      Lease unused = broker.suspensions().hold(id, PATIENCE, PAUSED);
    } catch (LeaseException e) {
      synchronized (broker) {
        refused.put(id, GOES_ON + e.getMessage());
      }
    }
  }

  /** A lease that cannot be put aside ends: somebody has more right to its devices. */
  private void putAside(Lease wanted) {
    Optional<Lease> known = leases.get(wanted.id());
    if (known.isPresent() && known.get().state() != LeaseState.HELD) {
      String id = wanted.id();
      move(
          id,
          () -> {
            try {
              Lease unused = broker.suspensions().hold(id, PATIENCE, ASIDE);
            } catch (LeaseException e) {
              synchronized (broker) {
                end(id, LeaseState.REVOKED, ASIDE + ", and " + e.getMessage());
              }
            }
          });
    }
  }

  /** Whether some are being suspended or resumed. */
  boolean isMoving() {
    synchronized (broker) {
      return !moving.isEmpty();
    }
  }

  /** Work of a lease's sessions. */
  @FunctionalInterface
  private interface Move {
    void run() throws LeaseException;
  }

  /** Outside of the monitor, as that takes its time; one at a time for each lease. */
  private void move(String id, Move work) {
    if (!moving.add(id)) {
      return;
    }
    Thread.ofPlatform()
        .name("move " + id)
        .daemon(true)
        .start(
            () -> {
              try {
                work.run();
              } catch (LeaseException | StoreException e) {
                LOG.log(System.Logger.Level.WARNING, e.getMessage());
              } finally {
                synchronized (broker) {
                  moving.remove(id);
                }
                broker.changed();
              }
            });
  }

  /** With the devices as this node knows them. */
  private Lease here(Lease wanted) throws LeaseException {
    List<Gpu> gpus = new ArrayList<>();
    for (Gpu gpu : wanted.gpus()) {
      gpus.add(
          leases.inventory().available().stream()
              .filter(own -> own.uuid().equals(gpu.uuid()))
              .findFirst()
              .orElseThrow(
                  () -> new LeaseException("GPU " + gpu.uuid() + " is not there to be leased")));
    }
    return wanted.of(gpus);
  }

  private void drain(Lease wanted) throws LeaseException {
    if (leases.get(wanted.id()).isPresent()) {
      Lease unused = broker.drain(wanted.id(), wanted.reason());
    }
  }

  private void end(String id, LeaseState how, String reason) {
    leases.get(id).ifPresent(lease -> broker.end(lease, how, clock.instant(), reason));
  }

  private void endOthers() {
    Set<String> wanted = new HashSet<>();
    orders.forEach(order -> wanted.add(order.lease().id()));
    leases.all().stream()
        .filter(lease -> LivingLeases.isLeased(lease) && !wanted.contains(lease.id()))
        .forEach(lease -> end(lease.id(), LeaseState.REVOKED, "the broker has ended it"));
    parts.keySet().stream()
        .filter(id -> !wanted.contains(id))
        .forEach(id -> store.parts(id, List.of()));
    parts.keySet().retainAll(wanted);
  }

  /** A process that has carried out no orders yet has obeyed those of the process before. */
  private long obeyed() {
    return Math.max(term, store.followed());
  }

  /** The term of the broker whose orders were carried out last; 0 before. */
  public long term() {
    synchronized (broker) {
      return term;
    }
  }

  /** The version of these orders. */
  public long version() {
    synchronized (broker) {
      return version;
    }
  }

  /**
   * This node's report, of facts that survive the end of the machine.
   *
   * @param endpoints where programs connect to
   */
  public NodeReport report(List<String> endpoints) {
    broker.look();
    NodeReport report = now(endpoints);
    broker.settle();
    return report;
  }

  private NodeReport now(List<String> endpoints) {
    synchronized (broker) {
      List<Lease> served = leases.holding().stream().filter(LivingLeases::isServed).toList();
      int most = Math.min(MOST_PROGRAMS, MOST_OF_ALL / Math.max(1, served.size()));
      List<NodeReport.Held> held =
          Stream.concat(
                  served.stream().map(lease -> held(lease, most)),
                  orders.stream().flatMap(order -> past(order).stream()))
              .toList();
      List<Gpu> gpus =
          leases.inventory().available().stream().filter(gpu -> gpu.slice().isEmpty()).toList();
      return new NodeReport(
          obeyed(), version, leases.taken(), endpoints, gpus, held, figures(gpus));
    }
  }

  private Map<String, Map<String, Long>> figures(List<Gpu> gpus) {
    return gpus.stream()
        .collect(Collectors.toMap(Gpu::uuid, gpu -> figures(broker.reading(new Form(), gpu))));
  }

  private static Map<String, Long> figures(Form row) {
    return NodeReport.FIGURES.stream()
        .filter(figure -> !row.get(figure).isEmpty())
        .collect(Collectors.toMap(figure -> figure, figure -> row.number(figure, 0)));
  }

  private NodeReport.Held held(Lease lease, int most) {
    broker.settle(lease.id());
    return new NodeReport.Held(
        lease.id(),
        lease.epoch(),
        lease.state(),
        refused.getOrDefault(lease.id(), lease.reason()),
        Optional.of(leases.token(lease)).filter(_ -> isWhole(lease)),
        broker.sessions(lease),
        broker.away(lease),
        leases.used(lease.id()),
        OptionalInt.of(lease.request().share()),
        broker.programs(lease, most));
  }

  /** A lease that was ended here, with what it had; or that is wanted here and was refused. */
  private Optional<NodeReport.Held> past(NodeOrders.Order order) {
    Lease wanted = order.lease();
    if (leases.get(wanted.id()).isPresent()) {
      return Optional.empty();
    }
    Optional<Lease> over = store(wanted.id());
    LeaseState state = over.map(Lease::state).orElse(LeaseState.REVOKED);
    String why = over.map(Lease::reason).orElse(refused.getOrDefault(wanted.id(), ""));
    boolean known = over.isPresent() || refused.containsKey(wanted.id());
    return known
        ? Optional.of(
            new NodeReport.Held(
                wanted.id(),
                wanted.epoch(),
                state,
                why,
                Optional.empty(),
                0,
                0,
                leases.used(wanted.id())))
        : Optional.empty();
  }
}
