// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.health.DeviceFigure;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Peer;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeasePage;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.Load;
import io.outboard.lease.Outlook;
import io.outboard.lease.Parameter;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.Sharing;
import io.outboard.lease.account.Accounts;
import io.outboard.lease.account.MissedTarget;
import io.outboard.lease.account.Tenants;
import io.outboard.lease.node.Closing;
import io.outboard.lease.node.NodeProgram;
import io.outboard.lease.schedule.DeviceMeter;
import io.outboard.lease.schedule.Explanation;
import io.outboard.lease.schedule.FairShare;
import io.outboard.lease.schedule.Inventory;
import io.outboard.lease.schedule.LivingLeases;
import io.outboard.lease.schedule.Scheduling;
import io.outboard.lease.schedule.Situation;
import io.outboard.lease.schedule.Totals;
import io.outboard.lease.schedule.Waiting;
import io.outboard.lease.store.LeaseStore;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives leases their devices and takes them back. Its decisions are in the store before anybody
 * hears of them. The sessions are known here only, since they end with this process.
 *
 * <p>Its monitor guards all that it knows: the {@link LivingLeases}, the {@link UsedLeases}, the
 * {@link Suspensions} and the {@link Admissions} too. A thread that waits for something waits in
 * {@link #awaitWhile}, which lets others in.
 */
public final class Broker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Broker.class.getName());
  private static final Duration END = Duration.ofSeconds(10);
  private static final long LOOK_MS = 100;

  /** So long before a lease ends its programs are told. */
  private static final Duration WARNING = Duration.ofMinutes(5);

  /** Leases of a tenant that may wait at a time; each is looked at when something changes. */
  private static final int MOST_WAITING = 1_000;

  /** Leases renewed for less than {@link #WARNING}: whoever does so knows when they end. */
  private final Set<String> brief = new HashSet<>();

  private volatile Consumer<EndedSession> sessionEnds = _ -> {};

  /** Leases that were not granted in time, of which that is written down. */
  private final Set<String> late = new HashSet<>();

  private final LeaseStore store;
  private final Inventory inventory;
  private final Sharing sharing;
  private final InstantSource clock;
  private final Duration mostGrace;
  private final List<Inherited> inherited;
  private final Accounts accounts;
  private final Tenants tenants;
  private final Totals totals = new Totals();
  private final LivingLeases leases;
  private final UsedLeases used;
  private final Unfetched unfetched = new Unfetched();
  private final FairShare fair;
  // Devices for which spare leases are being put aside.
  private Set<GpuId> awaited = Set.of();
  private final DeviceMeter meter;
  private final DeviceReadings readings;
  private final Suspensions suspensions;
  private final Admissions admissions;
  private final NodeLeases nodes;
  private final NodeMembers members;
  private final OrderedLeases ordered;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** One whose leases take turns. */
  public Broker(LeaseStore store, List<Gpu> gpus, InstantSource clock) {
    this(store, gpus, clock, Sharing.TURNS, Duration.ZERO, List.of());
  }

  /**
   * Takes over what the store has, after a crash too; the broker closes the store.
   *
   * @param inherited the sessions that have outlived the process before
   * @param mostGrace the longest grace period that a lease may have of its own
   */
  public Broker(
      LeaseStore store,
      List<Gpu> gpus,
      InstantSource clock,
      Sharing sharing,
      Duration mostGrace,
      List<Inherited> inherited) {
    this.inherited = List.copyOf(inherited);
    this.mostGrace = mostGrace;
    this.store = store;
    this.sharing = sharing;
    this.clock = clock;
    this.accounts = new Accounts(store.accounts(), clock);
    this.tenants = new Tenants(store.accounts(), clock);
    this.leases = new LivingLeases(store, totals, gpus);
    this.inventory = leases.inventory();
    this.used = new UsedLeases(store, totals, sharing);
    this.meter = new DeviceMeter(store, leases);
    this.readings = new DeviceReadings(clock);
    this.fair = new FairShare(clock.instant());
    store
        .accounts()
        .used(clock.instant().minus(FairShare.REMEMBERED))
        .forEach(used -> fair.had(used.tenant(), used.until(), used.seconds()));
    this.suspensions = new Suspensions(this, leases, used, clock);
    this.admissions = new Admissions(this, leases, used, clock);
    this.nodes = new NodeLeases(this, leases, used, store.nodes(), clock);
    this.members = new NodeMembers(store.nodes(), nodes, clock);
    this.ordered = new OrderedLeases(this, leases, store.nodes(), clock);
    recover();
  }

  private synchronized void recover() {
    leases.all().forEach(this::recover);
    inherited.forEach(session -> session.join(this));
    leases.all().stream().filter(admissions::isLeft).forEach(this::endUnused);
    tick();
  }

  /**
   * Sessions of the process before have ended with it but for those that are inherited, and their
   * devices may be gone: a holder of a handed-over device keeps it, as a virtual machine's looks so
   * to the driver.
   */
  private void recover(Lease lease) {
    Instant last = later(store.seen(), lease.granted());
    Optional<Gpu> gone =
        lease.gpus().stream()
            .filter(gpu -> gpu.node().equals(Gpu.HERE))
            .filter(gpu -> inventory.isMissing(gpu) && !lease.request().mode().handsOver())
            .findFirst();
    if (gone.isPresent() && !lease.request().isCommon()) {
      String reason = "GPU %s is %s".formatted(gone.get().uuid(), Inventory.MISSING);
      LOG.log(System.Logger.Level.ERROR, "{0}; lease {1} ends", reason, lease.id());
      end(lease, LeaseState.REVOKED, last, reason);
    }
  }

  /** One that no session has taken over. */
  private void endUnused(Lease lease) {
    if (lease.request().isCommon()) {
      Instant last = later(store.seen(), lease.granted());
      end(lease, LeaseState.RELEASED, last, "the backend ended");
    } else if (lease.state() == LeaseState.ACTIVE) {
      leases.move(lease.id(), LeaseState.IDLE, clock.instant(), "the backend ended");
    } else {
      end(lease, LeaseState.RELEASED, clock.instant(), "drained");
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Has somebody told when devices have been given to somebody. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Somebody is told. */
  void changed() {
    listeners.forEach(Runnable::run);
  }

  /** As {@link LivingLeases#token}; of another node's devices once that node has said it. */
  public Optional<Token> token(Lease lease) {
    if (!LivingLeases.isServed(lease)) {
      return Optional.empty();
    }
    return NodeLeases.isElsewhere(lease) ? nodes.token(lease) : Optional.of(leases.token(lease));
  }

  /** The leases of devices that other nodes have. */
  public NodeLeases nodes() {
    return nodes;
  }

  /** The nodes that may report. */
  public NodeMembers members() {
    return members;
  }

  /** The leases that the broker of several nodes wants this one to have. */
  public OrderedLeases ordered() {
    return ordered;
  }

  /** The tokens of the HTTP interface. */
  public Accounts accounts() {
    return accounts;
  }

  /** The tenants. */
  public Tenants tenants() {
    return tenants;
  }

  /** The sessions of all leases, as rows of a control connection. */
  public synchronized List<Form> running() {
    return Stream.concat(used.rows().stream(), nodes.programs()).toList();
  }

  /** Has somebody told of each session that ends; it does not take long. */
  public void onSessionEnd(Consumer<EndedSession> listener) {
    sessionEnds = listener;
  }

  /** A session is over. */
  void ended(EndedSession session) {
    sessionEnds.accept(session);
  }

  /** Asks the workers of all sessions which functions their programs call; not guarded. */
  public void look() {
    SessionLook.at(sessions());
  }

  private synchronized List<LeaseSession> sessions() {
    return used.all();
  }

  /** The programs of a lease, as its node tells its broker; those that are not idle first. */
  List<NodeProgram> programs(Lease lease, int most) {
    return used.rows(lease.id())
        .sorted(Comparator.comparingLong(row -> row.number("idleSeconds", 0)))
        .limit(most)
        .map(NodeProgram::of)
        .toList();
  }

  /** Returns figures since the backend began, as a row of a control connection. */
  public synchronized Form figures() {
    used.settle();
    return totals.form();
  }

  /**
   * Returns when all that has been decided survives a power cut; before that nobody is told. Not
   * guarded, so that many wait together.
   */
  public void settle() {
    store.settle();
  }

  /** Writes down what the sessions of a lease have done up to now. */
  void settle(String id) {
    used.settle(id);
  }

  /** Lets sessions begin, and hears of their ends. */
  public Admissions admissions() {
    return admissions;
  }

  /** Puts leases aside, and brings them back. */
  public Suspensions suspensions() {
    return suspensions;
  }

  /** The devices, also those that have failed. */
  List<Gpu> gpus() {
    return inventory.all();
  }

  /** These, and those that leases had and that are missing since. */
  public List<Gpu> known() {
    return inventory.known();
  }

  /** Why a device is given to nobody, if that is so. */
  public synchronized Optional<String> failure(Gpu gpu) {
    return inventory
        .failure(gpu)
        .or(
            () ->
                nodes.isPresent(gpu.node())
                    ? Optional.empty()
                    : Optional.of("node " + gpu.node() + " does not report"));
  }

  /** The devices that can be given away, and that no lease waits for that is to be resumed. */
  List<Gpu> unwanted() {
    return suspensions.unwanted(
        inventory.available().stream().filter(gpu -> nodes.isPresent(gpu.node())).toList());
  }

  /** Why a device is out for maintenance, if it is. */
  public synchronized Optional<String> cordon(Gpu gpu) {
    return inventory.cordon(gpu);
  }

  /**
   * Takes a device out for maintenance, with its slices where it is cut: nobody gets it any more,
   * and who has it keeps it. It stays so when the backend begins anew.
   *
   * @param device its UUID or its number
   * @param why for people; may be empty
   * @throws LeaseException if there is none
   */
  public synchronized void cordon(String device, String why) throws LeaseException {
    for (Gpu gpu : named(device)) {
      store.cordon(gpu.id(), why);
      inventory.cordon(gpu, why);
      LOG.log(System.Logger.Level.INFO, "GPU {0} is out for maintenance", gpu.number());
    }
    changed();
  }

  /**
   * Has a device, with its slices where it is cut, be out for maintenance from a moment on: nobody
   * gets it beyond that, and no lease that has it is renewed beyond.
   *
   * @param device its UUID or its number
   * @param when after now
   * @throws LeaseException if there is none, or the moment is over
   */
  public synchronized void closeFrom(String device, Closing when) throws LeaseException {
    if (!when.from().isAfter(clock.instant())) {
      throw new LeaseException("the moment from which on a GPU is to be out is over");
    }
    for (Gpu gpu : named(device)) {
      store.closes(gpu.id(), when);
      inventory.close(gpu, when);
      LOG.log(
          System.Logger.Level.INFO,
          "GPU {0} is out for maintenance from {1} on",
          gpu.number(),
          when.from());
    }
    changed();
  }

  /** From when on a device is to be out for maintenance, if it is. */
  public synchronized Optional<Closing> closing(Gpu gpu) {
    return Optional.ofNullable(inventory.closings().get(gpu.id()));
  }

  /** Those whose moment has come are out. */
  private void closeWhoIsDue(Instant now) {
    Map<GpuId, Closing> closings = inventory.closings();
    for (Gpu gpu : inventory.known()) {
      Closing when = closings.get(gpu.id());
      if (when != null && !when.from().isAfter(now)) {
        store.cordon(gpu.id(), when.why());
        inventory.cordon(gpu, when.why());
        LOG.log(System.Logger.Level.INFO, "GPU {0} is out for maintenance", gpu.number());
      }
    }
  }

  /**
   * Puts a device back that was out for maintenance, or is to be.
   *
   * @throws LeaseException if there is none
   */
  public synchronized void uncordon(String device) throws LeaseException {
    for (Gpu gpu : named(device)) {
      store.uncordon(gpu.id());
      inventory.uncordon(gpu);
      LOG.log(System.Logger.Level.INFO, "GPU {0} is back from maintenance", gpu.number());
    }
    tick();
    changed();
  }

  private List<Gpu> named(String device) throws LeaseException {
    List<Gpu> found = inventory.find(device);
    if (found.isEmpty()) {
      throw new LeaseException("there is no GPU %s".formatted(device));
    }
    return found;
  }

  /**
   * A device has failed, with its slices where it is cut: nobody gets it any more, and the leases
   * that have it end. A session without a lease ends when none of its devices works: it has the
   * others as it would without us.
   *
   * @param device its UUID or its number
   */
  public synchronized void failed(String device, String why) {
    List<Gpu> lost =
        inventory.find(device).stream().filter(gpu -> inventory.failure(gpu).isEmpty()).toList();
    lost.forEach(gpu -> inventory.fail(gpu, why));
    lost.forEach(gpu -> lost(gpu, why));
    if (!lost.isEmpty()) {
      tick();
      changed();
    }
  }

  private void lost(Gpu gpu, String why) {
    String reason = "GPU %d failed: %s".formatted(gpu.number(), why);
    LOG.log(System.Logger.Level.ERROR, "{0}; it is given to nobody any more", reason);
    each(
        lease -> lease.gpus().stream().anyMatch(gpu::is) && isLost(lease),
        lease -> end(lease, LeaseState.REVOKED, clock.instant(), reason));
  }

  /** Does something with leases; the step for one may have ended others. */
  private void each(Predicate<Lease> which, Consumer<Lease> what) {
    for (Lease lease : leases.all()) {
      leases.get(lease.id()).filter(which).ifPresent(what);
    }
  }

  /**
   * A holder of a native device sees its loss himself; a virtual machine's device looks as if it
   * were gone.
   */
  private boolean isLost(Lease lease) {
    if (lease.request().mode().handsOver()) {
      return false;
    }
    return !lease.request().isCommon()
        || lease.gpus().stream().noneMatch(gpu -> inventory.working().stream().anyMatch(gpu::is));
  }

  /** As {@link io.outboard.backend.health.DeviceListener#energy}. */
  public synchronized void energy(String device, long millijoules) {
    meter.energy(device, millijoules);
  }

  /** As {@link io.outboard.backend.health.DeviceListener#busy}. */
  public synchronized void busy(String device, long nanoseconds) {
    meter.busy(device, nanoseconds);
    readings.busy(device, nanoseconds);
  }

  /** As {@link io.outboard.backend.health.DeviceListener#state}. */
  public synchronized void state(String device, Map<DeviceFigure, Long> figures) {
    readings.state(device, figures);
  }

  /** A row with what is known of the present state of a device. */
  public synchronized Form reading(Form row, Gpu device) {
    return NodeLeases.isElsewhere(device) ? nodes.addTo(row, device) : readingHere(row, device);
  }

  /** The use since their grants of the leases that have been used, by their ids. */
  public synchronized Map<String, LeaseWork> work() {
    Map<String, LeaseWork> work = used.work();
    nodes.addTo(work);
    return work;
  }

  private Form readingHere(Form row, Gpu device) {
    return used.addTo(readings.addTo(row, device.uuid()), device);
  }

  /**
   * Has a device that failed be given to leases again.
   *
   * @param device its UUID or its number
   * @throws LeaseException if there is none, or it has not failed
   */
  public synchronized void readmit(String device) throws LeaseException {
    List<Gpu> failed =
        inventory.find(device).stream().filter(gpu -> inventory.failure(gpu).isPresent()).toList();
    if (failed.isEmpty()) {
      throw new LeaseException("no GPU %s that is there has failed".formatted(device));
    }
    for (Gpu gpu : failed) {
      inventory.readmit(gpu);
      LOG.log(System.Logger.Level.INFO, "GPU {0} is given to leases again", gpu.number());
    }
    tick();
    changed();
  }

  /** Returns the peer that proves the token of a name, where this is a lease's. */
  public synchronized Optional<Claim> claim(Bytes name) {
    return leases
        .named(name)
        .map(
            lease ->
                Claim.proving(
                    leases.token(lease),
                    new Peer.Holder(lease.id(), lease.epoch(), lease.tenant())));
  }

  /**
   * Asks for a lease, which is granted at once where that is possible.
   *
   * @throws LeaseException if the backend could never grant it
   */
  public synchronized Lease request(LeaseRequest request) throws LeaseException {
    try {
      checkAll(request);
    } catch (LeaseException e) {
      totals.refused();
      throw e;
    }
    Lease lease = leases.request(request, clock.instant());
    unfetched.asked(lease, clock.instant());
    tick();
    return fetch(lease.id());
  }

  private void checkAll(LeaseRequest request) throws LeaseException {
    check(request);
    limitWaiting(request.tenant());
    tenants.check(request, request.share(), request.duration(), leases.all());
    checkDate(request);
  }

  /** Whether it could be granted some time, to somebody. */
  private void check(LeaseRequest request) throws LeaseException {
    if (ordered.broker().isPresent()) {
      throw new LeaseException(
          "the GPUs of this node are leased by the broker at " + ordered.broker().get());
    }
    if (request.mode().handsOver() && inventory.all().stream().anyMatch(NodeLeases::isElsewhere)) {
      throw new LeaseException("GPUs of another node are for programs: they are not handed over");
    }
    long fitting = fitting(request);
    if (fitting < request.gpus()) {
      throw new LeaseException(
          "this backend has %d of %d GPUs that a lease wants%s"
              .formatted(fitting, request.gpus(), wanted(request)));
    }
    if (sharing == Sharing.MPS && request.idle().seconds(IdleStep.SUSPEND) > 0) {
      throw new LeaseException(
          "this backend uses MPS, whose clients cannot be suspended: ask for no limit on that");
    }
    limitGrace(request);
  }

  private void checkDate(LeaseRequest request) throws LeaseException {
    if (request.begin().equals(Instant.EPOCH)) {
      return;
    }
    if (!request.isAfter(clock.instant())) {
      throw new LeaseException("the moment from which on a lease is wanted is over");
    }
    if (!Scheduling.canPromise(situation(), request)) {
      throw new LeaseException(
          "at that date there are not %d GPUs free on as few nodes for so long%s"
              .formatted(request.gpus(), wanted(request)));
    }
  }

  /** All that a decision depends on, as it is now. */
  private Situation situation() {
    return situation(leases.holding(), leases.waiting());
  }

  private Situation situation(List<Lease> holding, List<Lease> waiting) {
    Map<GpuId, Instant> closing =
        inventory.closings().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, one -> one.getValue().from()));
    return new Situation(clock.instant(), unwanted(), holding, waiting, closing, fair.seconds());
  }

  /** All that wait, the one first that is offered devices first, with the reason of each. */
  public synchronized List<Waiting> waiting() {
    return Scheduling.waiting(situation());
  }

  /** Why a lease waits, and what could be granted now. */
  public synchronized Explanation explain(String id) throws LeaseException {
    Lease lease = leases.living(id);
    if (lease.state() == LeaseState.REQUESTED) {
      return Scheduling.explain(situation(), lease);
    }
    LeaseRequest request = lease.request();
    return new Explanation(
        Optional.empty(),
        lease.granted(),
        List.of(),
        lease.gpus(),
        request.gpus(),
        request.share(),
        request.duration());
  }

  /**
   * What would become of a request, which is not made.
   *
   * @throws LeaseException if the backend could never grant it
   */
  public synchronized Explanation explain(LeaseRequest request) throws LeaseException {
    check(request);
    checkDate(request);
    Lease asked = Lease.requested("", request, clock.instant());
    List<Lease> waiting = Stream.concat(leases.waiting().stream(), Stream.of(asked)).toList();
    return Scheduling.explain(situation(leases.holding(), waiting), asked);
  }

  /** How many devices the nodes have, of as many as a lease may have, that have most for it. */
  private long fitting(LeaseRequest request) {
    return inventory.working().stream()
        .filter(request::fits)
        .collect(Collectors.groupingBy(Gpu::node, Collectors.counting()))
        .values()
        .stream()
        .sorted(Comparator.reverseOrder())
        .limit(request.mostNodes())
        .mapToLong(Long::longValue)
        .sum();
  }

  /**
   * A lease as it is now, for somebody who waits for it, or has it from now on.
   *
   * @throws LeaseException if there is none
   */
  public synchronized Lease fetch(String id) throws LeaseException {
    Lease lease = leases.find(id);
    if (!Unfetched.is(lease)) {
      return lease;
    }
    if (lease.state() == LeaseState.REQUESTED) {
      unfetched.asked(lease, clock.instant());
      return lease;
    }
    unfetched.forget(id);
    return leases.fetched(id);
  }

  /** What somebody may expect who waits for a lease. */
  public synchronized Outlook outlook(Lease lease) {
    List<Lease> order = Scheduling.order(situation());
    List<String> ids = order.stream().map(Lease::id).toList();
    Instant free =
        leases.holding().stream()
            .filter(other -> LivingLeases.isLeased(other) && other.state().occupies())
            .filter(other -> other.gpus().stream().anyMatch(lease.request()::fits))
            .map(Lease::expires)
            .min(Instant::compareTo)
            .orElse(Instant.EPOCH);
    return new Outlook(ids.indexOf(lease.id()) + 1, ids.size(), free);
  }

  private void limitGrace(LeaseRequest request) throws LeaseException {
    if (request.grace().isPresent() && request.grace().get().compareTo(mostGrace) > 0) {
      throw new LeaseException(
          "a lease of this backend has a grace period of %d s at most"
              .formatted(mostGrace.toSeconds()));
    }
  }

  /** The grace period of a lease, where it has one of its own; the limit may have changed. */
  Optional<Duration> grace(Lease lease) {
    return lease
        .request()
        .grace()
        .map(wanted -> wanted.compareTo(mostGrace) > 0 ? mostGrace : wanted);
  }

  private void limitWaiting(String tenant) throws LeaseException {
    long waiting = leases.waiting().stream().filter(lease -> lease.tenant().equals(tenant)).count();
    if (waiting >= MOST_WAITING) {
      throw new LeaseException("%d leases of tenant %s wait already".formatted(waiting, tenant));
    }
  }

  private static String wanted(LeaseRequest request) {
    String model = request.model().isEmpty() ? "" : ", '" + request.model() + "' by name";
    String architecture =
        request.architecture().map(one -> ", of architecture " + one.label()).orElse("");
    String memory =
        request.memory() == 0 ? "" : ", with " + (request.memory() >> 20) + " MiB of memory";
    String profile = request.profile().isEmpty() ? "" : ", slices of " + request.profile();
    String whole = request.mode() == LeaseMode.REMOTE ? "" : ", in mode " + request.mode().label();
    return model + architecture + memory + profile + whole;
  }

  /** A lease as it is now. */
  public synchronized Lease find(String id) throws LeaseException {
    return leases.find(id);
  }

  /** Those that are not over. */
  public synchronized List<Lease> alive() {
    return leases.all();
  }

  /** A page of them, and of those that are over. */
  public synchronized LeasePage page(LeaseQuery wanted) {
    return leases.page(wanted);
  }

  /** How many sessions use a lease. */
  public synchronized int sessions(Lease lease) {
    return NodeLeases.isElsewhere(lease) ? nodes.sessions(lease) : used.sessions(lease.id());
  }

  /** How many of them have a client that has lost its connection. */
  public synchronized long away(Lease lease) {
    return NodeLeases.isElsewhere(lease)
        ? nodes.away(lease)
        : used.get(lease.id()).map(UsedLease::away).orElse(0L);
  }

  /** Ends a lease, and its sessions with it. */
  public synchronized Lease end(String id, LeaseState how, String reason) throws LeaseException {
    end(leases.living(id), how, clock.instant(), reason);
    tick();
    // Workers that are told to end do so at once, but for what the kernel still does for them.
    awaitWhile(() -> isEnding(id), clock.instant().plus(END));
    return leases.find(id);
  }

  /** Nobody waits for a node that is not there. */
  private boolean isEnding(String id) {
    return leases
        .get(id)
        .filter(lease -> lease.gpus().stream().allMatch(gpu -> nodes.isPresent(gpu.node())))
        .isPresent();
  }

  /** Waits as long as something is so, until a moment, or until this thread is interrupted. */
  synchronized void awaitWhile(BooleanSupplier so, Instant limit) {
    try {
      while (so.getAsBoolean() && clock.instant().isBefore(limit)) {
        wait(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nobody else gets the devices before the workers that use them have ended. */
  void end(Lease lease, LeaseState how, Instant now, String reason) {
    if (NodeLeases.isElsewhere(lease)) {
      nodes.end(lease, how, now, reason);
      return;
    }
    if (used.sessions(lease.id()) == 0) {
      finish(lease, how, now, reason);
      return;
    }
    if (lease.state() != LeaseState.DRAINING && !lease.state().isSuspended()) {
      leases.move(lease.id(), LeaseState.DRAINING, now, reason);
    }
    UsedLease sessions = used.of(lease);
    sessions.ending(how);
    sessions.stop("its lease is " + how.label() + (reason.isEmpty() ? "" : ": " + reason));
  }

  /** A node of a lease has ended its part, whose devices are others' from now on. */
  void leave(Lease lease, String node, Instant now) {
    fair.pass(now, leases.holding());
    Lease unused = leases.leave(lease.id(), node, now);
    notifyAll();
    changed();
  }

  /** A lease that no session uses is over. */
  void finish(Lease lease, LeaseState how, Instant now, String reason) {
    used.complete(lease.id());
    fair.end(now, lease);
    leases.move(lease.id(), how, now, reason);
    used.end(lease.id());
    unfetched.forget(lease.id());
    brief.remove(lease.id());
    late.remove(lease.id());
    notifyAll();
    changed();
  }

  /** Lets no new session begin; the lease ends with the last one. Nothing where it drains. */
  public synchronized Lease drain(String id, String reason) throws LeaseException {
    Lease lease = leases.served(id);
    if (lease.state() == LeaseState.DRAINING) {
      return lease;
    }
    if (lease.state().isSuspended() && sessions(lease) > 0) {
      throw new LeaseException("lease " + id + " is suspended: resume it first, or release it");
    }
    if (sessions(lease) == 0) {
      return end(id, LeaseState.RELEASED, reason.isEmpty() ? "drained" : reason);
    }
    return leases.move(id, LeaseState.DRAINING, clock.instant(), reason);
  }

  /** Has a lease end at another moment. */
  void endsAt(String id, Instant moment) {
    if (moment.isAfter(clock.instant().plus(WARNING))) {
      brief.remove(id);
      used.get(id).ifPresent(sessions -> sessions.all().forEach(LeaseSession::endsLater));
    } else {
      brief.add(id);
    }
    Lease unused = leases.renew(id, moment);
  }

  /** Has a lease end so long after now. */
  public synchronized Lease renew(String id, Duration duration) throws LeaseException {
    Lease lease = leases.living(id);
    checkRenewal(lease, lease.request().share(), duration);
    endsAt(id, clock.instant().plus(duration));
    return leases.find(id);
  }

  void checkRenewal(Lease lease, int share, Duration duration) throws LeaseException {
    Parameter.SECONDS.check(duration);
    if (!lease.state().holds()) {
      throw new LeaseException(
          "lease " + lease.id() + " waits for devices: its time has not begun");
    }
    tenants.check(lease.request(), share, duration, leases.others(lease.id()));
    checkClosings(lease, clock.instant().plus(duration));
    checkDates(lease, clock.instant().plus(duration));
  }

  /** Nobody has a device longer for whose maintenance there is a date. */
  private void checkClosings(Lease lease, Instant expires) throws LeaseException {
    for (Gpu gpu : lease.gpus()) {
      Optional<Instant> from = closing(gpu).map(Closing::from).filter(expires::isAfter);
      if (from.isPresent() && expires.isAfter(lease.expires())) {
        throw new LeaseException(
            "GPU %d is out for maintenance from %s on".formatted(gpu.number(), from.get()));
      }
    }
  }

  /** Whoever has a date has it, however long others would like to have their devices. */
  private void checkDates(Lease lease, Instant expires) throws LeaseException {
    if (leases.waiting().stream().noneMatch(one -> one.request().isAfter(clock.instant()))) {
      return;
    }
    List<Lease> longer =
        leases.holding().stream()
            .map(one -> one.id().equals(lease.id()) ? one.until(expires) : one)
            .toList();
    List<Lease> before = Scheduling.unkept(situation());
    for (Lease unkept : Scheduling.unkept(situation(longer, leases.waiting()))) {
      if (before.stream().noneMatch(one -> one.id().equals(unkept.id()))) {
        throw new LeaseException(
            "lease %s is to have its GPUs from %s on"
                .formatted(unkept.id(), unkept.request().begin()));
      }
    }
  }

  /** As {@link #share} and {@link #renew(String, Duration)}; neither where one cannot be. */
  public synchronized Lease renew(String id, int share, Duration duration) throws LeaseException {
    checkRenewal(leases.living(id), share, duration);
    Lease unused = share(id, share);
    return renew(id, duration);
  }

  /**
   * Changes how much a lease has of its devices, while programs run too. Memory that has a limit
   * stays as it is.
   *
   * @throws LeaseException if it waits, or others have what it wants more, or its programs cannot
   *     change: they were started with whole devices, or are clients of MPS
   */
  public synchronized Lease share(String id, int share) throws LeaseException {
    Lease lease = requireShareable(id, share);
    UsedLease sessions = used.of(lease);
    if (!sessions.canHave(share)) {
      throw new LeaseException(
          "the programs of lease %s were started with the share that it has: another one is possible"
                  .formatted(id)
              + " once they have ended");
    }
    used.settle(id);
    Lease shared = keepShare(lease, share);
    sessions.is(shared);
    tick();
    return shared;
  }

  /**
   * A lease that may have another share, as far as the devices, their other leases and its account
   * are concerned.
   */
  Lease requireShareable(String id, int share) throws LeaseException {
    Lease lease = leases.served(id);
    if (!LivingLeases.isLeased(lease) || lease.state().isSuspended()) {
      throw new LeaseException(
          "lease %s is %s, and has no share of a device".formatted(id, lease.state().label()));
    }
    checkFree(lease, share - lease.request().share());
    Duration left = Duration.between(clock.instant(), lease.expires());
    tenants.check(lease.request(), share, left, leases.others(id));
    return lease;
  }

  /** Memory that has a limit stays as it is. */
  Lease keepShare(Lease lease, int share) {
    long memory = lease.request().limitsMemory() ? lease.memory() : 0;
    return leases.share(lease.id(), share, memory, clock.instant());
  }

  private void checkFree(Lease lease, int more) throws LeaseException {
    Map<GpuId, Load> loads = leases.loads();
    for (Gpu gpu : lease.gpus()) {
      int free = LeaseRequest.WHOLE - Load.of(loads, gpu).share();
      if (more > free) {
        throw new LeaseException(
            "of GPU %d only %d thousandths are free".formatted(gpu.number(), free));
      }
    }
  }

  /** Rows of the ledger. */
  public synchronized List<LedgerRow> ledger(LedgerQuery wanted) {
    return store.ledger(wanted);
  }

  /** Rows about leases that were not granted in time. */
  public synchronized List<MissedTarget> missed(LedgerQuery wanted) {
    return store.missed(wanted);
  }

  /** Writes down what the sessions have done up to now. */
  public synchronized void checkpoint() {
    used.settle();
    store.seen(clock.instant());
  }

  /** Writes the ledger's rows up to now. */
  synchronized void roll() {
    checkpoint();
    store.roll(clock.instant());
  }

  /**
   * The clock was set to another time: all leases go on for as long as they would have, and what
   * was jumped over is on nobody's account.
   *
   * @param follow has this broker's clock go on with the other time
   */
  public synchronized void shift(Duration by, Runnable follow) {
    LOG.log(
        System.Logger.Level.WARNING,
        "the clock was set {0} by {1} s: leases end as much {2}, and that is on no account",
        by.isNegative() ? "back" : "ahead",
        by.abs().toSeconds(),
        by.isNegative() ? "earlier" : "later");
    leases.shift(by);
    suspensions.shift(by);
    fair.shift(by);
    unfetched.shift(by);
    follow.run();
  }

  /** Ends what is over, and grants what can be granted now. */
  public synchronized void tick() {
    Instant now = clock.instant();
    closeWhoIsDue(now);
    each(admissions::isLeft, admissions::leave);
    each(
        lease -> LivingLeases.isLeased(lease) && !lease.expires().isAfter(now),
        lease -> expire(lease, now));
    each(lease -> hasLapsed(lease, now), lease -> lapse(lease, now));
    each(lease -> isLate(lease, now), this::miss);
    each(lease -> endsSoon(lease, now), lease -> warn(lease, now));
    fair.pass(now, leases.holding());
    suspensions.resumeWhoCan(now, false);
    grant(now, lease -> !isSpare(lease));
    suspensions.resumeWhoCan(now, true);
    nodes.resumeWhoCan(now);
    if (leases.waiting().stream().anyMatch(Broker::isSpare)) {
      grant(now, _ -> true);
    }
  }

  private static boolean isSpare(Lease lease) {
    return lease.request().service() == ServiceClass.SPARE;
  }

  /**
   * The holder of devices that are handed over must say when they are free: it cannot be seen here.
   */
  private void expire(Lease lease, Instant now) {
    if (LivingLeases.isServed(lease)) {
      end(lease, LeaseState.EXPIRED, now, "");
    } else if (lease.state() != LeaseState.DRAINING) {
      leases.move(
          lease.id(), LeaseState.DRAINING, now, "its time is over: 'release' gives it back");
    }
  }

  /** When programs of a lease are told that it ends; whoever asked for less time knows. */
  private Optional<Instant> warning(Lease lease) {
    boolean ends =
        LivingLeases.isLeased(lease)
            && LivingLeases.isServed(lease)
            && !brief.contains(lease.id())
            && lease.state() != LeaseState.DRAINING;
    return Optional.of(lease)
        .filter(one -> ends)
        .map(one -> one.expires().minus(WARNING))
        .filter(lease.granted()::isBefore);
  }

  private boolean endsSoon(Lease lease, Instant now) {
    return warning(lease).filter(moment -> !moment.isAfter(now)).isPresent();
  }

  private void warn(Lease lease, Instant now) {
    long seconds = Duration.between(now, lease.expires()).toSeconds();
    String line =
        "lease %1$s ends in %2$d min, and this program with it: 'outboard renew %1$s' gives it time"
            .formatted(lease.id(), Math.ceilDiv(seconds, 60));
    used.get(lease.id())
        .ifPresent(sessions -> sessions.all().forEach(session -> session.warn(line)));
  }

  private boolean hasLapsed(Lease lease, Instant now) {
    return unfetched.lapses(lease, now).filter(lapse -> !lapse.isAfter(now)).isPresent();
  }

  /** Whether its target is missed, and nobody has written that down. */
  private boolean isLate(Lease lease, Instant now) {
    return lease.state() == LeaseState.REQUESTED
        && lease.due().filter(due -> !due.isAfter(now)).isPresent()
        && !late.contains(lease.id());
  }

  /** Others may have given back what it wants at this moment. */
  private void miss(Lease lease) {
    Explanation.Cause why =
        Scheduling.explain(situation(), lease).cause().orElse(Explanation.Cause.ROOM);
    store.missed(lease, lease.due().orElseThrow(), why.label());
    late.add(lease.id());
    LOG.log(
        System.Logger.Level.WARNING,
        "lease {0} is not granted in time: {1}",
        lease.id(),
        why.words());
  }

  private void lapse(Lease lease, Instant now) {
    boolean waited = lease.state() == LeaseState.REQUESTED;
    String reason = waited ? "nobody waits for it any more" : "nobody has fetched it";
    LOG.log(System.Logger.Level.INFO, "lease {0} lapses: {1}", lease.id(), reason);
    end(lease, LeaseState.RELEASED, now, reason);
  }

  private void grant(Instant now, Predicate<Lease> whose) {
    List<Lease> waiting = leases.waiting().stream().filter(whose).toList();
    awaited = Set.of();
    if (waiting.isEmpty()) {
      return;
    }
    Scheduling.Decision decision = Scheduling.decide(situation(leases.holding(), waiting));
    for (Scheduling.Grant grant : decision.grants()) {
      Lease lease = grant.lease();
      leases.grant(lease.id(), grant.gpus(), now, now.plus(lease.request().duration()));
      changed();
    }
    awaited = decision.awaited();
    decision.asides().stream().map(leases::get).flatMap(Optional::stream).forEach(this::putAside);
  }

  private void putAside(Lease spare) {
    if (NodeLeases.isElsewhere(spare)) {
      nodes.putAside(spare);
    } else {
      suspensions.putAside(spare);
    }
  }

  /** Whether no better lease waits for any of these devices to be free. */
  boolean isUnawaited(List<Gpu> gpus) {
    return gpus.stream().noneMatch(gpu -> awaited.contains(gpu.id()));
  }

  /** Whether a lease that was put aside can have its devices again. */
  boolean canGoOn(Lease lease) {
    Map<GpuId, Load> loads = leases.loads();
    return isUnawaited(lease.gpus())
        && lease.gpus().stream()
            .allMatch(
                gpu ->
                    nodes.isPresent(gpu.node())
                        && Load.of(loads, gpu).hasRoom(lease.request(), gpu));
  }

  /** When something ends next, or somebody is told that it will, if anything does. */
  synchronized Optional<Instant> next() {
    Instant now = clock.instant();
    Stream<Instant> ends =
        leases.all().stream()
            .filter(lease -> LivingLeases.isLeased(lease) && lease.state() != LeaseState.DRAINING)
            .map(Lease::expires);
    Stream<Instant> dates =
        leases.waiting().stream().map(lease -> lease.request().begin()).filter(now::isBefore);
    Stream<Instant> targets =
        leases.waiting().stream().flatMap(lease -> lease.due().stream()).filter(now::isBefore);
    Stream<Instant> closings =
        inventory.closings().values().stream().map(Closing::from).filter(now::isBefore);
    Stream<Instant> lapses =
        leases.all().stream().flatMap(lease -> unfetched.lapses(lease, now).stream());
    Stream<Instant> warnings =
        leases.all().stream()
            .filter(lease -> used.sessions(lease.id()) > 0)
            .flatMap(lease -> warning(lease).stream())
            .filter(now::isBefore);
    return Stream.of(ends, dates, targets, closings, lapses, warnings)
        .flatMap(all -> all)
        .min(Instant::compareTo);
  }

  /** Whether anybody has devices, or waits for some. */
  synchronized boolean isUsed() {
    return leases.all().stream()
        .anyMatch(lease -> lease.state().holds() || lease.state() == LeaseState.REQUESTED);
  }

  /** The sessions end with this process; the leases stay. */
  @Override
  public synchronized void close() {
    checkpoint();
    for (Lease lease : leases.all()) {
      if (lease.request().isCommon()) {
        finish(lease, LeaseState.RELEASED, clock.instant(), "the backend ended");
      }
    }
    closeStore();
  }

  /** The sessions go on, for the next process. */
  public synchronized void leave() {
    checkpoint();
    closeStore();
  }

  private void closeStore() {
    used.close();
    store.close();
  }
}
