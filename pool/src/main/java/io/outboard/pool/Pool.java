// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.backend.health.DeviceFigure;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.supervision.Survivor;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.LeaseException;
import io.outboard.lease.Sharing;
import io.outboard.lease.account.Accounts;
import io.outboard.lease.schedule.Waiting;
import io.outboard.lease.service.LeaseService;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.store.StoreLocation;
import io.outboard.pool.bound.SessionBounds;
import io.outboard.pool.bound.SessionLimits;
import io.outboard.pool.broker.Broker;
import io.outboard.pool.broker.BrokerLeases;
import io.outboard.pool.broker.EndedSession;
import io.outboard.pool.broker.Inherited;
import io.outboard.pool.broker.LeaseWork;
import io.outboard.pool.broker.NodeLeases;
import io.outboard.pool.broker.NodeMembers;
import io.outboard.pool.broker.OrderedLeases;
import io.outboard.pool.broker.SteadyClock;
import io.outboard.pool.broker.Upkeep;
import io.outboard.pool.control.ControlCommands;
import io.outboard.pool.idle.IdleEvent;
import io.outboard.pool.idle.IdleWatch;
import io.outboard.wire.Bytes;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The leases of a daemon. Its store is opened when somebody uses leases, or has used them before:
 * without that, a session costs an object and no more.
 */
public final class Pool implements Admission {
  private static final System.Logger LOG = System.getLogger(Pool.class.getName());
  private static final long INVENTORY_SECONDS = 60;
  private static final String END = "the backend ends";

  /** One thread a lease at most, as workers may keep them waiting. */
  private static final Executor LOOKS =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("look").daemon(true).factory());

  private static final String WANTED =
      "this backend wants a lease: 'outboard lease' gives one, 'outboard run --lease' uses it";

  private final StoreLocation location;
  private final boolean requireLease;
  private final SteadyClock clock;
  private final Sharing sharing;
  private final SessionBounds bounds;
  private final IdleLimits idle;
  private final Consumer<IdleEvent> idleListener;
  private final Token operator = Token.random();
  private final CompletableFuture<List<Gpu>> inventory = new CompletableFuture<>();
  private volatile List<Form> joined = List.of();
  private volatile boolean held;
  private volatile Duration mostGrace = Duration.ZERO;
  private volatile String exposure = "";
  private volatile String nativeCode = "";
  private volatile Consumer<EndedSession> sessionEnds = _ -> {};
  // All of these are guarded by this object's monitor.
  private final Set<Unleased> unleased = new HashSet<>();
  private final List<Inherited> inherited = new ArrayList<>();
  private Broker broker;
  private Upkeep upkeep;
  private IdleWatch watch;
  private boolean closed;

  /**
   * Makes one.
   *
   * @param location where the store is, or will be
   * @param requireLease whether a session must have a lease
   */
  public Pool(StoreLocation location, boolean requireLease) {
    this(location, requireLease, new SteadyClock());
  }

  /**
   * Makes one.
   *
   * @param location where the store is, or will be
   * @param requireLease whether a session must have a lease
   * @param clock by which leases begin and end
   */
  public Pool(StoreLocation location, boolean requireLease, SteadyClock clock) {
    this(
        location,
        requireLease,
        Sharing.TURNS,
        SessionLimits.USUAL,
        IdleLimits.NONE,
        _ -> {},
        clock);
  }

  /**
   * Makes one.
   *
   * @param location where the store is, or will be
   * @param requireLease whether a session must have a lease
   * @param sharing how leases use a device together
   * @param sessions how many sessions there may be at a time
   * @param idle what is done about leases that are not used; with a limit leases are used from the
   *     start
   * @param idleListener is told of that; it does not take long
   */
  public Pool(
      StoreLocation location,
      boolean requireLease,
      Sharing sharing,
      SessionLimits sessions,
      IdleLimits idle,
      Consumer<IdleEvent> idleListener) {
    this(location, requireLease, sharing, sessions, idle, idleListener, new SteadyClock());
  }

  private Pool(
      StoreLocation location,
      boolean requireLease,
      Sharing sharing,
      SessionLimits sessions,
      IdleLimits idle,
      Consumer<IdleEvent> idleListener,
      SteadyClock clock) {
    this.clock = clock;
    this.sharing = sharing;
    this.bounds = new SessionBounds(sessions);
    this.idle = idle;
    this.idleListener = idleListener;
    this.location = location;
    this.requireLease = requireLease;
  }

  /** A token for the helper that asks for the devices before anybody else is served, once. */
  public Token operator() {
    return operator;
  }

  /** Says how long a grace period a lease may ask for; without this, for none. */
  public void mostGrace(Duration longest) {
    mostGrace = longest;
  }

  /** Has every client wait until it is said which devices there are. */
  public void holdUntilOpen() {
    held = true;
  }

  /**
   * Says that kernels of some devices can reach all memory of their worker: which ones, and why.
   */
  public void exposed(String why) {
    exposure = why;
  }

  /** What {@link #exposed} was told; empty where no kernel can. */
  public String exposure() {
    return exposure;
  }

  /** Says to whom libraries that run native code are offered, and why not to others. */
  public void nativeCode(String toWhom) {
    nativeCode = toWhom;
  }

  /** What {@link #nativeCode(String)} was told; empty where there is no such library. */
  public String nativeCode() {
    return nativeCode;
  }

  /** Tells of a session that has ended. */
  public void ended(EndedSession session) {
    sessionEnds.accept(session);
  }

  /** Has somebody told of each session that ends, once leases are used; it does not take long. */
  public void onSessionEnd(Consumer<EndedSession> listener) {
    sessionEnds = listener;
  }

  /**
   * Says which devices of other hosts programs without a lease have too; nobody leases them here.
   *
   * @param devices a row each, with its {@code number}, {@code model}, {@code memory} in bytes and
   *     {@code host}
   */
  public void joined(List<Form> devices) {
    joined = List.copyOf(devices);
  }

  /**
   * Says which devices there are; clients wait for that where leases are used already.
   *
   * @throws StoreException if there are leases that cannot be read
   */
  public void open(List<Gpu> gpus) {
    inventory.complete(List.copyOf(gpus));
    if (isUsed()) {
      broker();
    } else {
      location
          .obstacle()
          .ifPresent(
              why -> LOG.log(System.Logger.Level.WARNING, "no leases can be given: {0}", why));
    }
  }

  private boolean isUsed() {
    return requireLease || !idle.isNone() || location.isUsed();
  }

  /**
   * The broker; opens the store once the devices are known. Nobody waits for these with the
   * monitor, or with a store that is open: it is this process's alone.
   */
  private Broker broker() {
    return opened().orElseGet(() -> broker(gpus()));
  }

  private synchronized Broker broker(List<Gpu> gpus) {
    if (broker == null) {
      if (closed) {
        throw new StoreException(END);
      }
      broker = begin(location.open(), gpus);
      broker.onSessionEnd(this::ended);
      inherited.clear();
      upkeep = new Upkeep(broker, clock);
      watch = new IdleWatch(broker, idle, idleListener, Pool::sinceBoot, LOOKS);
      watch.start();
      unleased.forEach(session -> session.adopt(broker));
      unleased.clear();
    }
    return broker;
  }

  private Broker begin(LeaseStore store, List<Gpu> gpus) {
    try {
      return new Broker(store, gpus, clock, sharing, mostGrace, inherited);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** For how long something is idle does not depend on what the clock says. */
  private static Instant sinceBoot() {
    return Instant.EPOCH.plusNanos(System.nanoTime());
  }

  private List<Gpu> gpus() {
    try {
      return inventory.get(INVENTORY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new StoreException("the backend's devices are not known", e);
    }
  }

  private synchronized Optional<Broker> opened() {
    return Optional.ofNullable(broker);
  }

  /** The broker where leases are used, which then must be possible. */
  private Optional<Broker> used() throws RefusedException {
    try {
      Optional<Broker> open = opened();
      return open.isPresent() || !isUsed() ? open : Optional.of(broker());
    } catch (StoreException e) {
      throw new RefusedException(new Refusal(Refusal.INTERNAL, e.getMessage()));
    }
  }

  @Override
  public Optional<Claim> claim(Bytes name) throws RefusedException {
    if (name.equals(operator.name())) {
      return Optional.of(Claim.proving(operator, new Peer.Itself()));
    }
    return used().flatMap(leases -> leases.claim(name));
  }

  @Override
  public boolean namesTokens() throws RefusedException {
    return used().isPresent();
  }

  /** A question opens no store: where leases are not used, nobody has any. */
  @Override
  public Optional<Refusal> obstacle(Peer.Principal who) {
    try {
      return hindrance(who).map(why -> new Refusal(Refusal.LEASE, why));
    } catch (StoreException e) {
      return Optional.of(new Refusal(Refusal.LEASE, e.getMessage()));
    } catch (RefusedException e) {
      return Optional.of(e.refusal());
    }
  }

  private Optional<String> hindrance(Peer.Principal who) throws RefusedException {
    return switch (who) {
      case Peer.Itself _ -> Optional.empty();
      case Peer.Holder holder -> used().flatMap(leases -> leases.admissions().hindrance(holder));
      case Peer.Operator _, Peer.Member _ when requireLease -> Optional.of(WANTED);
      case Peer.Operator _ -> used().flatMap(leases -> leases.admissions().hindrance(""));
      case Peer.Member member ->
          used().flatMap(leases -> leases.admissions().hindrance(member.name()));
    };
  }

  @Override
  public Admitted admit(Hello client, Peer.Principal who) throws RefusedException {
    return bounds.counted(who, () -> admitCounted(client, who));
  }

  private Admitted admitCounted(Hello client, Peer.Principal who) throws RefusedException {
    try {
      if (held && !(who instanceof Peer.Itself)) {
        gpus();
      }
      return switch (who) {
        case Peer.Itself _ -> Admitted.WITHOUT_LIMIT;
        case Peer.Holder holder -> leased(holder);
        case Peer.Operator _ -> withoutLease("process " + client.process(), "");
        case Peer.Member member -> withoutLease("process " + client.process(), member.name());
      };
    } catch (LeaseException | StoreException e) {
      throw new RefusedException(new Refusal(Refusal.LEASE, e.getMessage()));
    }
  }

  private Admitted leased(Peer.Holder holder) throws LeaseException {
    Broker leases = broker();
    return settled(leases, leases.admissions().admit(holder));
  }

  private Admitted withoutLease(String consumer, String user)
      throws LeaseException, RefusedException {
    Optional<Broker> leases = used();
    if (requireLease) {
      throw new LeaseException(
          "this backend wants a lease: 'outboard lease' gives one, 'outboard run --lease' uses it");
    }
    return leases.isPresent()
        ? settled(leases.get(), leases.get().admissions().admitWithout(consumer, user))
        : unleased(consumer, user);
  }

  @Override
  public Admitted takeOver(Survivor session) {
    return bounds.kept(session.opener(), inherited(session));
  }

  private synchronized Admitted inherited(Survivor session) {
    if (session.lease().isEmpty()) {
      String user = session.opener() instanceof Peer.Member member ? member.name() : "";
      Unleased one = new Unleased("process " + session.hello().process(), user, session.since());
      unleased.add(one);
      return one;
    }
    Inherited one = new Inherited(session);
    inherited.add(one);
    return one;
  }

  private static Admitted settled(Broker leases, Admitted session) {
    leases.settle();
    return session;
  }

  private synchronized Admitted unleased(String consumer, String user) {
    Unleased session = new Unleased(consumer, user, clock.instant());
    unleased.add(session);
    return session;
  }

  @Override
  public void answer(String request, Peer.Controller who, ControlStream to) throws IOException {
    if (request.startsWith("usage?") && opened().isEmpty() && !isUsed()) {
      // A request that only reads does not make a store.
      to.send(Control.Kind.DONE, "");
      return;
    }
    try {
      new ControlCommands(broker(), joined).answer(request, who, to);
      upkeep().wake();
    } catch (StoreException e) {
      to.send(Control.Kind.FAILED, e.getMessage());
    }
  }

  /** From the first failure on leases are used: nobody else knows which device is whose. */
  @Override
  public void failed(String device, String why) {
    try {
      Broker leases = broker();
      leases.failed(device, why);
      leases.settle();
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.ERROR, "GPU " + device + " failed: " + why, e);
    }
  }

  @Override
  public void energy(String device, long millijoules) {
    count("energy", device, leases -> leases.energy(device, millijoules));
  }

  @Override
  public void busy(String device, long nanoseconds) {
    count("work", device, leases -> leases.busy(device, nanoseconds));
  }

  @Override
  public void state(String device, Map<DeviceFigure, Long> figures) {
    opened().ifPresent(leases -> leases.state(device, figures));
  }

  /** Where no leases are used nobody has an account. */
  private void count(String what, String device, Consumer<Broker> counting) {
    try {
      opened().ifPresent(counting);
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.WARNING, "the " + what + " of " + device + " is not counted", e);
    }
  }

  /**
   * Asks what a control connection can ask (PROTOCOL.md, Control).
   *
   * @return the rows of the answer
   * @throws IllegalArgumentException if the request is none
   * @throws LeaseException if it cannot be done
   * @throws StoreException if the store cannot be used
   */
  public List<Form> ask(String verb, Form form) throws LeaseException {
    List<Form> rows = new ControlCommands(broker(), joined).rows(verb, form);
    upkeep().wake();
    return rows;
  }

  /**
   * The leases.
   *
   * @throws StoreException if the store cannot be used
   */
  public LeaseService leases() {
    return new BrokerLeases(broker(), upkeep()::wake);
  }

  /**
   * The leases that wait, the one first that is offered devices first, with the reason of each.
   *
   * @throws StoreException if the store cannot be used
   */
  public List<Waiting> waiting() {
    return broker().waiting();
  }

  /** Whether leases are used already; a question after this opens no store. */
  public boolean isOpen() {
    return opened().isPresent();
  }

  /** The use of their devices by the leases that have been used, by their ids. */
  public Map<String, LeaseWork> work() {
    return opened().map(Broker::work).orElse(Map.of());
  }

  /**
   * The leases of devices that other nodes have.
   *
   * @throws StoreException if the store cannot be used
   */
  public NodeLeases nodes() {
    return broker().nodes();
  }

  /**
   * The nodes that may report.
   *
   * @throws StoreException if the store cannot be used
   */
  public NodeMembers members() {
    return broker().members();
  }

  /** The name of the node of the pool whose certificate this is; none where there is no pool. */
  public Optional<String> member(X509Certificate certificate) {
    return opened().flatMap(open -> open.members().named(certificate));
  }

  /**
   * The leases that the broker of several nodes wants this one to have.
   *
   * @throws StoreException if the store cannot be used
   */
  public OrderedLeases ordered() {
    return broker().ordered();
  }

  /**
   * Has somebody told when a lease may be other than before.
   *
   * @throws StoreException if the store cannot be used
   */
  public void onChange(Runnable listener) {
    broker().onChange(listener);
  }

  /**
   * The tokens of the HTTP interface.
   *
   * @throws StoreException if the store cannot be used
   */
  public Accounts accounts() {
    return broker().accounts();
  }

  private synchronized Upkeep upkeep() {
    return upkeep;
  }

  @Override
  public synchronized void leave() {
    end();
    if (broker != null) {
      upkeep.close();
      watch.close();
      broker.leave();
      broker = null;
    }
  }

  @Override
  public synchronized void close() {
    end();
    if (broker != null) {
      upkeep.close();
      watch.close();
      broker.close();
      broker = null;
    }
  }

  /** Nobody opens the store any more, and who waits for the devices waits in vain. */
  private void end() {
    closed = true;
    inventory.completeExceptionally(new StoreException(END));
  }

  /** A session from before leases were used. */
  private final class Unleased implements Admitted {
    private final String consumer;
    private final String user;
    private final Instant since;
    private ServedSession served;
    private Admitted adopted;

    Unleased(String consumer, String user, Instant since) {
      this.consumer = consumer;
      this.user = user;
      this.since = since;
    }

    @Override
    public void started(ServedSession session) {
      synchronized (Pool.this) {
        served = session;
        if (adopted != null) {
          adopted.started(session);
        }
      }
    }

    /** That waits for the disk, and nobody else for that. */
    @Override
    public void ended(SessionFigures figures) {
      Admitted known = leave();
      if (known != null) {
        known.ended(figures);
      }
    }

    private Admitted leave() {
      synchronized (Pool.this) {
        unleased.remove(this);
        return adopted;
      }
    }

    @Override
    public String lease() {
      synchronized (Pool.this) {
        return adopted == null ? "" : adopted.lease();
      }
    }

    void adopt(Broker by) {
      adopted = by.admissions().adopt(consumer, user, since);
      if (served != null) {
        adopted.started(served);
        served.uses(adopted.lease());
      }
    }
  }
}
