// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.backend.Admitted;
import io.outboard.backend.Allotment;
import io.outboard.backend.SessionActivity;
import io.outboard.backend.SessionFigures;
import io.outboard.backend.SliceKeeper;
import io.outboard.backend.SuspensionException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Gives leases their devices and takes them back. What it decides is in the store before anybody
 * hears of it; the sessions are known here only, since they end with this process.
 */
final class Broker implements AutoCloseable {
  private static final int ID_BYTES = 6;
  private static final Duration END = Duration.ofSeconds(10);
  private static final long LOOK_MS = 100;

  /** Leases of a tenant that may wait at a time; each is looked at when something changes. */
  private static final int MOST_WAITING = 1_000;

  /** How long a suspended lease that is wanted waits for its devices, and for what it had. */
  private static final Duration RESUME = Duration.ofHours(1);

  private final LeaseStore store;
  private final List<Gpu> gpus;
  private final InstantSource clock;
  // All of these are guarded by this object's monitor.
  private final Map<String, Lease> alive = new LinkedHashMap<>();
  private final Map<String, UsedLease> used = new HashMap<>();
  private final Map<Bytes, String> names = new HashMap<>();
  // Suspended leases that are to be resumed when their devices have room, and since when.
  private final Map<String, Instant> wanting = new LinkedHashMap<>();
  private Runnable changed = () -> {};
  // None until leases share a device.
  private SliceKeeper slices;
  private final Accounts accounts;
  private final Tenants tenants;
  private final Totals totals = new Totals();

  /** Takes over what the store has, after a crash too; the broker closes the store. */
  Broker(LeaseStore store, List<Gpu> gpus, InstantSource clock) {
    this.store = store;
    this.gpus = List.copyOf(gpus);
    this.clock = clock;
    this.accounts = new Accounts(store.accounts(), clock);
    this.tenants = new Tenants(store.accounts(), clock);
    recover();
  }

  private synchronized void recover() {
    store.alive().forEach(this::recover);
    tick();
  }

  /** The sessions of the process before have ended with it. */
  private void recover(Lease lease) {
    keep(lease);
    if (lease.request().isCommon()) {
      Instant last = store.seen();
      end(lease, LeaseState.RELEASED, later(last, lease.granted()), "the backend ended");
    } else if (lease.state() == LeaseState.ACTIVE) {
      keep(store.move(lease.id(), LeaseState.IDLE, clock.instant(), "the backend ended"));
    } else if (lease.state() == LeaseState.DRAINING) {
      end(lease, LeaseState.RELEASED, clock.instant(), "drained");
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Remembers a lease as it is now. */
  private Lease keep(Lease lease) {
    totals.count(alive.get(lease.id()), lease);
    if (lease.state().isEnd()) {
      alive.remove(lease.id());
    } else {
      alive.put(lease.id(), lease);
    }
    if (isLeased(lease)) {
      names.put(token(lease).name(), lease.id());
    }
    return lease;
  }

  /** Has somebody told when devices have been given to somebody. */
  synchronized void onChange(Runnable listener) {
    changed = listener;
  }

  /** Whether somebody has asked for it, and has its devices. */
  private static boolean isLeased(Lease lease) {
    return lease.state().holds() && !lease.request().isCommon();
  }

  /** The token of a lease's grant: who has it can use the lease, and nobody can make another. */
  Token token(Lease lease) {
    return store.secret().derived("lease %s %d".formatted(lease.id(), lease.epoch()));
  }

  /** The tokens of the HTTP interface. */
  Accounts accounts() {
    return accounts;
  }

  /** The tenants. */
  Tenants tenants() {
    return tenants;
  }

  /** The sessions of all leases, as rows of a control connection. */
  synchronized List<Form> running() {
    return used.values().stream().flatMap(UsedLease::rows).toList();
  }

  /** What has been done since the backend began, as a row of a control connection. */
  synchronized Form figures() {
    checkpointSessions();
    return totals.form();
  }

  /**
   * Returns when all that has been decided survives a power cut; before that nobody is told. Not
   * guarded, so that many wait together.
   */
  void settle() {
    store.settle();
  }

  /** The devices. */
  List<Gpu> gpus() {
    return gpus;
  }

  /** The token that a name stands for. */
  synchronized Optional<Token> key(Bytes name) {
    return Optional.ofNullable(names.get(name)).map(alive::get).map(this::token);
  }

  /**
   * Asks for a lease, which is granted at once where that is possible.
   *
   * @throws LeaseException if the backend could never grant it
   */
  synchronized Lease request(LeaseRequest request) throws LeaseException {
    long fitting = gpus.stream().filter(request::fits).count();
    if (fitting < request.gpus()) {
      throw new LeaseException(
          "this backend has %d of %d GPUs that a lease wants%s"
              .formatted(fitting, request.gpus(), wanted(request)));
    }
    limitWaiting(request.tenant());
    tenants.check(request, request.share(), request.duration(), alive.values());
    Lease lease = asked(request, clock.instant());
    store.request(lease);
    keep(lease);
    tick();
    return find(lease.id());
  }

  private void limitWaiting(String tenant) throws LeaseException {
    long waiting =
        alive.values().stream()
            .filter(lease -> lease.state() == LeaseState.REQUESTED && lease.tenant().equals(tenant))
            .count();
    if (waiting >= MOST_WAITING) {
      throw new LeaseException("%d leases of tenant %s wait already".formatted(waiting, tenant));
    }
  }

  private static String wanted(LeaseRequest request) {
    String model = request.model().isEmpty() ? "" : ", '" + request.model() + "' by name";
    String memory =
        request.memory() == 0 ? "" : ", with " + (request.memory() >> 20) + " MiB of memory";
    return model + memory;
  }

  /** A lease as it is now. */
  synchronized Lease find(String id) throws LeaseException {
    Lease lease = alive.get(id);
    return lease != null
        ? lease
        : store.find(id).orElseThrow(() -> new LeaseException("there is no lease " + id));
  }

  /** Those that are not over. */
  synchronized List<Lease> alive() {
    return List.copyOf(alive.values());
  }

  /** Those that are over. */
  synchronized List<Lease> over(int most) {
    return store.over(most);
  }

  /** How many sessions use a lease. */
  synchronized int sessions(Lease lease) {
    UsedLease sessions = used.get(lease.id());
    return sessions == null ? 0 : sessions.sessions();
  }

  /** Ends a lease, and its sessions with it. */
  synchronized Lease end(String id, LeaseState how, String reason) throws LeaseException {
    end(living(id), how, clock.instant(), reason);
    tick();
    awaitEnd(id);
    return find(id);
  }

  /** Workers that are told to end do so at once, but for what the kernel still does for them. */
  private void awaitEnd(String id) {
    Instant limit = clock.instant().plus(END);
    try {
      while (alive.containsKey(id) && clock.instant().isBefore(limit)) {
        wait(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Lease living(String id) throws LeaseException {
    Lease lease = find(id);
    if (lease.state().isEnd()) {
      throw new LeaseException("lease %s is over: %s".formatted(id, lease.state().label()));
    }
    return lease;
  }

  /** Nobody else gets the devices before the workers that use them have ended. */
  private void end(Lease lease, LeaseState how, Instant now, String reason) {
    UsedLease sessions = used.get(lease.id());
    if (sessions != null && sessions.isUsed()) {
      if (lease.state() != LeaseState.DRAINING && lease.state() != LeaseState.SUSPENDED) {
        keep(store.move(lease.id(), LeaseState.DRAINING, now, reason));
      }
      sessions.ending(how);
      sessions.stop("its lease is " + how.label() + (reason.isEmpty() ? "" : ": " + reason));
    } else {
      finish(lease, how, now, reason);
    }
  }

  private void finish(Lease lease, LeaseState how, Instant now, String reason) {
    UsedLease sessions = used.remove(lease.id());
    if (sessions != null) {
      settle(lease.id(), sessions);
      sessions.close();
    }
    keep(store.move(lease.id(), how, now, reason));
    names.values().removeIf(lease.id()::equals);
    notifyAll();
  }

  /** Lets no new session begin; the lease ends with the last one. */
  synchronized Lease drain(String id, String reason) throws LeaseException {
    Lease lease = living(id);
    if (lease.state() == LeaseState.SUSPENDED && sessions(lease) > 0) {
      throw new LeaseException("lease " + id + " is suspended: resume it first, or release it");
    }
    if (sessions(lease) == 0) {
      return end(id, LeaseState.RELEASED, reason.isEmpty() ? "drained" : reason);
    }
    return keep(store.move(id, LeaseState.DRAINING, clock.instant(), reason));
  }

  /** Has a lease end so long after now. */
  synchronized Lease renew(String id, Duration duration) throws LeaseException {
    Lease lease = living(id);
    if (!lease.state().holds()) {
      throw new LeaseException("lease " + id + " waits for devices: its time has not begun");
    }
    tenants.check(lease.request(), lease.request().share(), duration, others(id));
    return keep(store.renew(id, clock.instant().plus(duration)));
  }

  /**
   * Changes how much a lease has of its devices, while programs run too. Memory that has a limit
   * stays as it is.
   *
   * @throws LeaseException if it waits, or others have what it wants more, or its programs were
   *     started when nobody else could have its devices
   */
  synchronized Lease share(String id, int share) throws LeaseException {
    Lease lease = living(id);
    UsedLease sessions = used.get(id);
    if (!isLeased(lease) || lease.state() == LeaseState.SUSPENDED) {
      throw new LeaseException(
          "lease %s is %s, and has no share of a device".formatted(id, lease.state().label()));
    }
    if (share < LeaseRequest.WHOLE && sessions != null && !sessions.canShare()) {
      throw new LeaseException(
          "lease %s has whole GPUs, and its programs were started so: a share is possible once they"
                  .formatted(id)
              + " have ended");
    }
    checkFree(lease, share - lease.request().share());
    Duration left = Duration.between(clock.instant(), lease.expires());
    tenants.check(lease.request(), share, left, others(id));
    settle(id);
    long memory = lease.request().limitsMemory() ? lease.memory() : 0;
    Lease changed = keep(store.share(id, share, memory, clock.instant()));
    if (sessions != null) {
      sessions.is(changed);
    }
    tick();
    return changed;
  }

  private List<Lease> others(String id) {
    return alive.values().stream().filter(other -> !other.id().equals(id)).toList();
  }

  private void checkFree(Lease lease, int more) throws LeaseException {
    Map<String, Load> loads = Scheduling.loads(alive());
    for (Gpu gpu : lease.gpus()) {
      int free = LeaseRequest.WHOLE - Load.of(loads, gpu).share();
      if (more > free) {
        throw new LeaseException(
            "of GPU %d only %d thousandths are free".formatted(gpu.number(), free));
      }
    }
  }

  private UsedLease sessionsOf(Lease lease) {
    return used.computeIfAbsent(lease.id(), _ -> new UsedLease(lease, this::slices));
  }

  /** Who gives the time slices of devices. */
  private SliceKeeper slices() throws IOException {
    if (slices == null) {
      slices = SliceKeeper.start();
    }
    return slices;
  }

  /** The ledger's rows that end after a moment. */
  List<LedgerRow> ledger(Instant after) {
    return ledger(LedgerQuery.since(after));
  }

  /** Rows of the ledger. */
  synchronized List<LedgerRow> ledger(LedgerQuery wanted) {
    return store.ledger(wanted);
  }

  /** Admits a session to the lease of a token. */
  synchronized Admitted admit(Bytes key) throws LeaseException {
    String id = names.get(key);
    if (id == null) {
      throw new LeaseException("the token is of no lease that this backend has: is it over?");
    }
    tick();
    awaitMoved(id);
    if (find(id).state() == LeaseState.SUSPENDED) {
      goOn(id);
    }
    Lease lease = find(id);
    if (!lease.state().admits()) {
      throw new LeaseException("lease %s is %s".formatted(id, lease.state().label()));
    }
    return use(lease);
  }

  /** Admits a session without a lease, to the devices that no lease has. */
  synchronized Admitted admitWithout(String consumer) throws LeaseException {
    tick();
    Map<String, Load> loads = Scheduling.loads(alive());
    List<Gpu> free = unwanted().stream().filter(gpu -> Load.of(loads, gpu).share() == 0).toList();
    if (free.isEmpty()) {
      throw new LeaseException("each GPU is leased to somebody; 'outboard lease' asks for one");
    }
    return use(grant(asked(common(consumer, free), clock.instant()), free));
  }

  /** A session that had all devices before there were leases. */
  synchronized Admitted adopt(String consumer, Instant since) {
    try {
      return use(grant(asked(common(consumer, gpus), since), gpus));
    } catch (LeaseException e) {
      throw new StoreException(e.getMessage(), e);
    }
  }

  private static Lease asked(LeaseRequest request, Instant when) {
    return Lease.requested(Bytes.random(ID_BYTES).hex(), request, when);
  }

  private static LeaseRequest common(String consumer, List<Gpu> gpus) {
    return new LeaseRequest(
        LeaseRequest.DEFAULT_TENANT,
        consumer,
        gpus.size(),
        "",
        0,
        0,
        0,
        Duration.ofDays(1),
        Placement.PACK);
  }

  /** A session without a lease may last as long as it likes. */
  private Lease grant(Lease asked, List<Gpu> free) {
    store.request(asked);
    changed.run();
    return keep(store.grant(asked.id(), free, asked.requested(), Instant.EPOCH));
  }

  private Admitted use(Lease lease) throws LeaseException {
    UsedLease sessions = sessionsOf(lease);
    try {
      LeaseSession session = new LeaseSession(this, lease.id(), allot(lease, sessions));
      sessions.add(session);
      if (lease.state() != LeaseState.ACTIVE) {
        keep(store.move(lease.id(), LeaseState.ACTIVE, clock.instant(), ""));
      }
      return session;
    } catch (IOException e) {
      throw new LeaseException(e.getMessage());
    }
  }

  /** Who gets all there is needs no choice. */
  private Allotment allot(Lease lease, UsedLease sessions) throws IOException {
    boolean everything = lease.request().isCommon() && lease.gpus().size() == gpus.size();
    return everything ? Allotment.EVERYTHING : sessions.allot();
  }

  /** A session has ended. */
  synchronized void ended(String id, LeaseSession session, SessionFigures figures) {
    UsedLease sessions = used.get(id);
    Lease lease = alive.get(id);
    if (sessions == null || lease == null) {
      return;
    }
    sessions.remove(session, figures);
    settle(id, sessions);
    if (!sessions.isUsed()) {
      unused(lease, sessions.ending());
    }
    tick();
  }

  private void unused(Lease lease, Optional<LeaseState> ending) {
    Instant now = clock.instant();
    if (ending.isPresent()) {
      finish(lease, ending.get(), now, lease.reason());
    } else if (lease.request().isCommon()) {
      finish(lease, LeaseState.RELEASED, now, "");
    } else if (lease.state() == LeaseState.DRAINING) {
      finish(lease, LeaseState.RELEASED, now, "drained");
    } else if (lease.state() == LeaseState.ACTIVE) {
      keep(store.move(lease.id(), LeaseState.IDLE, now, ""));
    }
  }

  private void settle(String id) {
    UsedLease sessions = used.get(id);
    if (sessions != null) {
      sessions.count();
      settle(id, sessions);
    }
  }

  private void settle(String id, UsedLease sessions) {
    SessionFigures counted = sessions.takeCounted();
    totals.add(counted);
    if (counted.bytesIn() != 0 || counted.bytesOut() != 0) {
      store.count(id, counted.bytesIn(), counted.bytesOut());
    }
    List<Long> busy = sessions.takeBusy();
    if (!busy.isEmpty()) {
      store.countBusy(id, busy);
    }
  }

  /** Writes down what the sessions have done up to now. */
  synchronized void checkpoint() {
    checkpointSessions();
    store.seen(clock.instant());
  }

  private void checkpointSessions() {
    used.keySet().forEach(this::settle);
  }

  /** Writes the ledger's rows up to now. */
  synchronized void roll() {
    checkpoint();
    store.roll(clock.instant());
  }

  /** Ends what is over, and grants what can be granted now. */
  synchronized void tick() {
    Instant now = clock.instant();
    for (Lease lease : List.copyOf(alive.values())) {
      if (isLeased(lease) && !lease.expires().isAfter(now)) {
        end(lease, LeaseState.EXPIRED, now, "");
      }
    }
    resumeWhoCan(now);
    List<Lease> waiting =
        alive().stream().filter(lease -> lease.state() == LeaseState.REQUESTED).toList();
    if (waiting.isEmpty()) {
      return;
    }
    List<Lease> holding = alive().stream().filter(lease -> lease.state().holds()).toList();
    for (Scheduling.Grant grant : Scheduling.grants(unwanted(), holding, waiting)) {
      Lease lease = grant.lease();
      Instant expires = now.plus(lease.request().duration());
      keep(store.grant(lease.id(), grant.gpus(), now, expires));
      changed.run();
    }
  }

  /**
   * Puts aside what the sessions of a lease have on its devices, which others may have then. It is
   * resumed when it wants them again: a call of a program, a new program, or {@link #resume}.
   * Nothing where it is suspended already.
   *
   * @param patience how long calls and work that are under way may still take
   * @throws LeaseException if that is not possible: all goes on then
   */
  Lease suspend(String id, Duration patience, String reason) throws LeaseException {
    if (isSuspended(id)) {
      return find(id);
    }
    List<LeaseSession> sessions = move(id);
    try {
      long begin = System.nanoTime();
      long bytes = new Movement(sessions).suspend(patience, () -> wanted(id));
      long milliseconds = (System.nanoTime() - begin) / 1_000_000;
      String done = "%d MiB put aside in %d ms".formatted(bytes >> 20, milliseconds);
      return suspended(id, reason.isEmpty() ? done : reason + ", " + done);
    } catch (SuspensionException e) {
      moved(id);
      throw new LeaseException("lease %s cannot be suspended: %s".formatted(id, e.getMessage()));
    }
  }

  private synchronized boolean isSuspended(String id) throws LeaseException {
    awaitMoved(id);
    return find(id).state() == LeaseState.SUSPENDED;
  }

  private synchronized List<LeaseSession> move(String id) throws LeaseException {
    awaitMoved(id);
    Lease lease = living(id);
    if (!lease.state().admits()) {
      throw new LeaseException("lease %s is %s".formatted(id, lease.state().label()));
    }
    return sessionsOf(lease).move();
  }

  private synchronized Lease suspended(String id, String reason) throws LeaseException {
    Lease lease = find(id);
    if (lease.state().admits()) {
      settle(id);
      keep(store.move(id, LeaseState.SUSPENDED, clock.instant(), reason));
    }
    moved(id);
    tick();
    return find(id);
  }

  /** A suspension or resumption of a lease is over. */
  private synchronized void moved(String id) {
    UsedLease sessions = used.get(id);
    if (sessions != null) {
      sessions.moved();
    }
    Lease lease = alive.get(id);
    if (lease == null || lease.state() != LeaseState.SUSPENDED) {
      wanting.remove(id);
    }
    notifyAll();
  }

  /** Waits until a lease is not being suspended or resumed any more. */
  private void awaitMoved(String id) throws LeaseException {
    try {
      for (UsedLease one = used.get(id); one != null && one.isMoving(); one = used.get(id)) {
        wait(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LeaseException("interrupted");
    }
  }

  /**
   * What all sessions of a lease are at. Those of a suspended lease are not asked; nothing else has
   * its sum of calls as long as there are no calls.
   */
  SessionActivity activity(String id) {
    boolean working = false;
    long calls = 0;
    for (LeaseSession session : askable(id)) {
      SessionActivity one = session.activity();
      working |= one.working();
      calls += 1 + one.calls();
    }
    return new SessionActivity(working, calls);
  }

  private synchronized List<LeaseSession> askable(String id) {
    UsedLease sessions = used.get(id);
    return sessions == null ? List.of() : sessions.all();
  }

  /** Marks a lease that has sessions as idle, or as active again. */
  synchronized void mark(String id, boolean idle) {
    Lease lease = alive.get(id);
    boolean marked = lease != null && lease.state() == LeaseState.IDLE;
    boolean markable =
        lease != null && sessions(lease) > 0 && (marked || lease.state() == LeaseState.ACTIVE);
    if (markable && marked != idle) {
      keep(store.move(id, idle ? LeaseState.IDLE : LeaseState.ACTIVE, clock.instant(), ""));
    }
  }

  /** Whether a lease is just being suspended or resumed. */
  synchronized boolean isMoving(String id) {
    UsedLease sessions = used.get(id);
    return sessions != null && sessions.isMoving();
  }

  /** A call of a suspended lease waits. */
  private synchronized void wanted(String id) {
    wanting.putIfAbsent(id, clock.instant());
    tick();
    changed.run();
  }

  /**
   * Resumes a lease, once its devices have room; nothing where it is not suspended.
   *
   * @param limit how long to wait for that
   */
  synchronized Lease resume(String id, Duration limit) throws LeaseException {
    if (living(id).state() != LeaseState.SUSPENDED) {
      awaitMoved(id);
      return find(id);
    }
    wanting.putIfAbsent(id, clock.instant());
    tick();
    Instant end = clock.instant().plus(limit);
    try {
      while (find(id).state() == LeaseState.SUSPENDED && clock.instant().isBefore(end)) {
        wait(LOOK_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    awaitMoved(id);
    if (find(id).state() == LeaseState.SUSPENDED) {
      throw new LeaseException(
          "others have the GPUs of lease %s; it is resumed when they are free".formatted(id));
    }
    return find(id);
  }

  /** Has a suspended lease have its devices again, for a new session. */
  private void goOn(String id) throws LeaseException {
    Lease lease = find(id);
    if (!hasRoom(lease)) {
      throw new LeaseException("lease %s is suspended, and others have its GPUs now".formatted(id));
    }
    resume(lease);
  }

  private void resumeWhoCan(Instant now) {
    for (String id : List.copyOf(wanting.keySet())) {
      Lease lease = alive.get(id);
      if (lease == null) {
        wanting.remove(id);
      } else if (lease.state() == LeaseState.SUSPENDED) {
        UsedLease sessions = sessionsOf(lease);
        if (!sessions.isMoving() && hasRoom(lease)) {
          resume(lease);
        } else if (!wanting.get(id).plus(RESUME).isAfter(now)) {
          wanting.remove(id);
          sessions.stop("it was suspended, and others have had its GPUs for too long");
        }
      }
    }
  }

  private boolean hasRoom(Lease lease) {
    Map<String, Load> loads = Scheduling.loads(alive());
    return lease.gpus().stream().allMatch(gpu -> Load.of(loads, gpu).hasRoom(lease.request(), gpu));
  }

  /** The room is the lease's at once; the sessions follow. */
  private void resume(Lease lease) {
    String id = lease.id();
    wanting.remove(id);
    UsedLease sessions = sessionsOf(lease);
    LeaseState next = sessions.isUsed() ? LeaseState.ACTIVE : LeaseState.IDLE;
    keep(store.move(id, next, clock.instant(), ""));
    Movement movement = new Movement(sessions.move());
    Thread.ofPlatform()
        .name("resume " + id)
        .daemon(true)
        .start(
            () -> {
              movement.resume(RESUME);
              moved(id);
            });
  }

  /** The devices that no lease waits for that is to be resumed. */
  private List<Gpu> unwanted() {
    List<Gpu> kept =
        wanting.keySet().stream()
            .map(alive::get)
            .filter(Objects::nonNull)
            .flatMap(lease -> lease.gpus().stream())
            .toList();
    return gpus.stream().filter(gpu -> !kept.contains(gpu)).toList();
  }

  /** When something ends next, if anything does. */
  synchronized Optional<Instant> next() {
    return alive.values().stream()
        .filter(lease -> isLeased(lease) && lease.state() != LeaseState.DRAINING)
        .map(Lease::expires)
        .min(Instant::compareTo);
  }

  /** Whether anybody has devices. */
  synchronized boolean isUsed() {
    return alive.values().stream().anyMatch(lease -> lease.state().holds());
  }

  /** The sessions end with this process; the leases stay. */
  @Override
  public synchronized void close() {
    checkpoint();
    for (Lease lease : alive()) {
      if (lease.request().isCommon()) {
        finish(lease, LeaseState.RELEASED, clock.instant(), "the backend ended");
      }
    }
    used.values().forEach(UsedLease::close);
    if (slices != null) {
      slices.close();
    }
    store.close();
  }
}
