// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.cuda.ImageFolder;
import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.health.DeviceHealth;
import io.outboard.backend.health.DrilledHealth;
import io.outboard.backend.health.VendorHealth;
import io.outboard.backend.launch.DriverKeepAlive;
import io.outboard.backend.launch.ProcessWatch;
import io.outboard.backend.launch.WorkerLauncher;
import io.outboard.backend.launch.WorkerPool;
import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.library.Libraries;
import io.outboard.backend.slices.MpsControl;
import io.outboard.backend.succession.SessionFacts;
import io.outboard.backend.succession.SessionFile;
import io.outboard.backend.succession.SessionFolder;
import io.outboard.backend.suspend.Checkpoints;
import io.outboard.backend.system.ChildEnvironment;
import io.outboard.backend.system.ComputeCaches;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.RateLimiter;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.backend.worker.HandOver;
import io.outboard.backend.worker.OtherHosts;
import io.outboard.backend.worker.TakeOver;
import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.Origin;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.plugin.PlugIns;
import io.outboard.softgpu.profile.HostSize;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Listens, greets, and hands each client to a worker process of its own.
 *
 * <p>Start one with {@link #builder}; it ends with {@link #close}, or with the process that it
 * watches.
 */
public final class Daemon implements AutoCloseable {
  private static final String NO_CONTROL =
      "the token of a lease does not control the backend: OUTBOARD_TOKEN wants the backend's, or"
          + " nothing";

  private static final String JOINS =
      "this backend has joined others itself, so that it cannot be joined";

  private static final String NO_THREAD =
      "this backend's system gives it no further thread: raise its limit of threads, or end"
          + " programs";

  private static final long ACCEPT_PAUSE_MS = 100;
  private static final Duration MPS_START = Duration.ofSeconds(30);

  private final List<Listener> listeners = new ArrayList<>();
  private final Map<Listener, GuestMemory> memories = new HashMap<>();
  private final Admission admission;
  // None unless it is wanted.
  private final Optional<MpsControl> mps;
  private final WorkerPool pool;
  // None unless it is wanted and there is a GPU.
  private final Optional<WorkerProcess> keeper;
  private final Suspensions suspensions;
  private final DeviceHealth health;
  private final int mostSessions;
  private final int greetingsPerSecond;
  private final ThreadFactory greeters;
  private final boolean quiet;
  private final int graceSeconds;
  private final OpenSessions open = new OpenSessions();
  private final Identification identification;
  private final Lobby lobby = new Lobby();
  private final Controls controls;
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();
  private final JoinedHosts joins;
  private final HostLinks links;
  private final Optional<ImageFolder> images;
  private final Optional<ComputeCaches> caches;
  // None where sessions end with this daemon.
  private final Optional<SessionFolder> folder;
  private final long drainMs;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  // The process that this daemon serves, if it is gone the daemon ends with the last session.
  private volatile boolean orphaned;
  // The sessions that run outlive this daemon.
  private volatile boolean leaving;
  // No session begins any more.
  private volatile boolean draining;

  private Daemon(Builder builder) throws IOException {
    Log.prepare();
    admission = builder.admission;
    links = new HostLinks(builder.copiesTo);
    identification = new Identification(builder.token, admission, open, links);
    controls = new Controls(admission);
    mostSessions = builder.mostSessions;
    greetingsPerSecond = builder.greetingsPerSecond;
    greeters = builder.greeters;
    quiet = builder.quiet;
    graceSeconds = builder.graceSeconds;
    drainMs = builder.drainMs;
    joins = new JoinedHosts(builder.joins, Optional.ofNullable(builder.joinToken));
    images = builder.imageFolder();
    caches = builder.computeCaches();
    Map<String, String> given = builder.given();
    mps = builder.mps ? Optional.of(MpsControl.start(given, MPS_START)) : Optional.empty();
    folder = builder.sessionFolder();
    List<SessionFile> left = folder.isPresent() ? folder.get().left() : List.of();
    reserveUsers(left, builder.users);
    WorkerLauncher launcher =
        new WorkerLauncher(
            builder.devices,
            builder.workerOptions(images),
            Optional.ofNullable(builder.users),
            given,
            mps.map(MpsControl::variables).orElse(Map.of()),
            caches,
            builder.workerFilter);
    pool = new WorkerPool(launcher, builder.spareWorkers);
    suspensions =
        new Suspensions(
            new Checkpoints(launcher::startCheckpoints), builder.suspendMemory, builder.mps);
    keeper = builder.keepsInitialised ? launcher.startKeeper() : Optional.empty();
    health = builder.health(launcher);
    try {
      for (Endpoint endpoint : builder.endpoints) {
        listen(endpoint, builder);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
    folder.ifPresent(Daemon::make);
    left.forEach(this::takeOver);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::end));
    listeners.forEach(this::listen);
    join();
    if (PlugIns.folder().isPresent()) {
      tellRefusedPlugIns();
    }
    if (builder.watched != Builder.NOBODY) {
      new ProcessWatch(builder.watched, this::orphan).start();
    }
    builder.ready.accept(this);
  }

  private void listen(Endpoint endpoint, Builder builder) throws IOException {
    Listener listener = Communicator.of(endpoint).listen(endpoint, builder.listening());
    listeners.add(listener);
    Optional.ofNullable(builder.memories.get(endpoint))
        .ifPresent(memory -> memories.put(listener, memory));
  }

  private static void make(SessionFolder folder) {
    try {
      folder.make();
    } catch (IOException e) {
      Log.warn("programs end with this backend: " + e.getMessage());
    }
  }

  /** No new worker is the user of one that may still be there. */
  private static void reserveUsers(List<SessionFile> left, WorkerUsers users) {
    if (users == null) {
      return;
    }
    for (SessionFile file : left) {
      try {
        file.user().ifPresent(users::take);
      } catch (IOException e) {
        Log.debug("the user of a worker is not known: " + e.getMessage());
      }
    }
  }

  /** A session that the daemon before has left, or what is left of one. */
  private void takeOver(SessionFile file) {
    try {
      SessionFacts known = file.read();
      takeOver(file, known, file.take(known));
    } catch (TakeOver.OtherVersion e) {
      Log.warn("a session is not taken over, and goes on to its end: " + e.getMessage());
    } catch (IOException e) {
      Log.info("a session of the backend before is over: " + e.getMessage());
      if (!refuse(file)) {
        freeUser(file);
      }
      file.close();
    }
  }

  private void freeUser(SessionFile file) {
    try {
      file.user().ifPresent(pool::free);
    } catch (IOException e) {
      Log.debug("the user of a worker is not known: " + e.getMessage());
    }
  }

  /**
   * Tells the worker at this socket that no daemon takes it over. Returns whether a worker is
   * there.
   */
  private static boolean refuse(SessionFile file) {
    try {
      file.refuse();
      return true;
    } catch (IOException e) {
      Log.debug("nobody is told: " + e.getMessage());
      return false;
    }
  }

  private void takeOver(SessionFile file, SessionFacts known, SessionFile.Taken taken)
      throws IOException {
    WorkerProcess worker = pool.takeOver(known.worker(), known.user(), taken.connection());
    try {
      goOn(file, known, taken, worker);
    } catch (IOException e) {
      worker.stop();
      throw e;
    }
  }

  private void goOn(
      SessionFile file, SessionFacts known, SessionFile.Taken taken, WorkerProcess worker)
      throws IOException {
    SharedPage page = SharedPage.takeBack(taken.pages().getFirst());
    int unused = sessions.incrementAndGet();
    opened.accumulateAndGet(known.number(), Math::max);
    SupervisedSession session =
        new SupervisedSession(
            known, file, page, admission.takeOver(survivor(known, taken)), suspensions, quiet);
    open.add(
        session.identity(),
        new OpenSessions.Opened(worker, known.opener(), known.proven(), session.returning()));
    serveRequests(worker);
    session.goOn(worker, () -> left(session));
  }

  /** A worker may have sessions with other hosts, which the daemon before has opened. */
  private void serveRequests(WorkerProcess worker) throws IOException {
    if (!joins.isEmpty()) {
      int requests = JoinRequests.open(joins);
      try {
        worker.give(HandOver.Further.of(HandOver.Purpose.REQUESTS, requests));
      } finally {
        Posix.close(requests);
      }
    }
  }

  /** By now this daemon would answer itself. */
  private void join() throws IOException {
    try {
      joins.check();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static Survivor survivor(SessionFacts known, SessionFile.Taken taken) {
    List<Integer> shared = taken.pages().subList(1, taken.pages().size());
    return new Survivor(
        known.hello(),
        known.opener(),
        known.lease(),
        known.allotment().with(shared),
        known.since());
  }

  /** Warns about plug-ins that were refused; a faulty one does not stop the others. */
  private static void tellRefusedPlugIns() {
    Stream.of(PlugIns.refused(), Libraries.offers().refused(), Communicator.offers().refused())
        .flatMap(List::stream)
        .forEach(refused -> Log.warn(refused + "; it is not used"));
  }

  /** Whether these devices may be GPUs whose driver measures how busy they are. */
  public static boolean hasMeasures(DeviceChoice devices) {
    return DriverKeepAlive.mayBe(devices);
  }

  /** Where clients connect to. */
  public List<Endpoint> endpoints() {
    return listeners.stream().map(Listener::endpoint).toList();
  }

  /** Sessions that are open, or about to be. */
  public int sessions() {
    return sessions.get();
  }

  /** Waits for the daemon's end. */
  public void await() throws InterruptedException {
    closed.await();
  }

  private void orphan() {
    orphaned = true;
    endIfAlone();
  }

  private void endIfAlone() {
    if (orphaned && sessions.get() == 0) {
      close();
    }
  }

  private void listen(Listener listener) {
    Thread.ofPlatform()
        .name("listen " + listener.endpoint())
        .daemon(true)
        .start(() -> accept(listener, way(listener)));
  }

  private Way way(Listener listener) {
    return new Way(
        Communicator.of(listener.endpoint()), Optional.ofNullable(memories.get(listener)));
  }

  private void accept(Listener listener, Way way) {
    boolean vouches = way.by().capabilities().has(Capability.VOUCHING);
    RateLimiter limiter = new RateLimiter(greetingsPerSecond);
    while (!closing.get()) {
      limiter.await();
      try {
        int client = listener.accept();
        if (client == Listener.CLOSED) {
          return;
        }
        Origin origin = listener.origin(client);
        receive(vouches ? origin : origin.unvouched(), way, client);
      } catch (IOException e) {
        Log.warn(e.getMessage());
        Pause.ms(ACCEPT_PAUSE_MS);
      }
    }
  }

  private void receive(Origin origin, Way way, int client) {
    Optional<Places.Place> place = lobby.enter(origin, client);
    if (place.isEmpty()) {
      Posix.close(client);
      return;
    }
    try {
      greeters.newThread(() -> serve(origin, way, client, place.get())).start();
    } catch (OutOfMemoryError e) {
      // So the JVM says that the system has no thread left, which need not last.
      turnAway(client, place.get(), e);
    }
  }

  private static void turnAway(int client, Places.Place place, Error why) {
    Log.warn(NO_THREAD + ": " + why.getMessage());
    place.close();
    try {
      refuse(client, Refusal.LIMIT, NO_THREAD);
    } catch (IOException e) {
      Log.debug("a client has gone before it was refused");
    } finally {
      Posix.close(client);
    }
  }

  private void serve(Origin origin, Way way, int client, Places.Place place) {
    try {
      Greeted greeted = greet(origin, client, place);
      serve(origin, client, asItCan(greeted, way));
    } catch (EOFException e) {
      // It may only have looked whether somebody answers, or has made room for others.
      Log.debug("a client has gone before it was admitted");
    } catch (IOException e) {
      Log.info("a client was not admitted: " + e.getMessage());
    } finally {
      Posix.close(client);
    }
  }

  /** A client wants no region where there is none. */
  private static Greeted asItCan(Greeted greeted, Way way) {
    Capabilities can = way.by().capabilities();
    if (!can.has(Capability.REGIONS)) {
      return way.memory().map(greeted::withMemory).orElseGet(greeted::withoutRegion);
    }
    return can.hasOwnRegions() ? greeted.withRegionsOf(way.by().scheme()) : greeted;
  }

  /**
   * How clients of a listener come.
   *
   * @param memory that this machine shares with the guest that they are in
   */
  private record Way(Communicator by, Optional<GuestMemory> memory) {}

  /** The place is free again as soon as it is known who has come. */
  private Greeted greet(Origin origin, int client, Places.Place place) throws IOException {
    try (place) {
      return GreetingServer.receive(
          client, hello -> claim(hello, origin, place), GreetingServer.TIMEOUT_MS);
    }
  }

  private Claim claim(Hello hello, Origin origin, Places.Place place) throws RefusedException {
    place.working();
    Claim claim = identification.claim(hello, origin);
    if (claim.proof().isPresent()) {
      place.waiting();
    }
    return claim;
  }

  private void serve(Origin origin, int client, Greeted greeted) throws IOException {
    if (greeted.hello().slot().isPresent() && !joins.isEmpty() && !greeted.hello().asks()) {
      refuse(client, Refusal.LIMIT, JOINS);
      return;
    }
    switch (greeted.peer()) {
      case Peer.Further further -> pass(client, greeted, further.session(), HandOver.Purpose.BULK);
      case Peer.Returning returning ->
          pass(client, greeted, returning.session(), HandOver.Purpose.RETURN);
      case Peer.Linking linking -> link(client, greeted, linking.session());
      case Peer.Linked linked -> pass(client, greeted, linked);
      case Peer.Principal who when greeted.hello().asks() -> answer(client, greeted, who);
      case Peer.Principal who when !greeted.hello().controls() -> admit(client, greeted, who);
      case Peer.Controller who -> control(client, greeted, who, origin);
      case Peer.Holder _, Peer.Itself _ -> refuse(client, Refusal.TOKEN, NO_CONTROL);
    }
  }

  private void control(int client, Greeted greeted, Peer.Controller who, Origin origin)
      throws IOException {
    try (Places.Place place = controls.enter(who, origin, client)) {
      welcome(client, greeted);
      controls.serve(client, who, place);
    } catch (RefusedException e) {
      refuse(client, e.refusal().code(), e.getMessage());
      throw e;
    }
  }

  /** Tells a client whether it would be served, which takes no worker. */
  private void answer(int client, Greeted greeted, Peer.Principal who) throws IOException {
    Optional<Refusal> obstacle = full(sessions.get() + 1);
    if (obstacle.isEmpty()) {
      obstacle = admission.obstacle(who);
    }
    if (obstacle.isPresent()) {
      GreetingServer.refuse(client, obstacle.get(), GreetingServer.TIMEOUT_MS);
    } else if (greeted.hello().slot().isPresent()) {
      answer(client, greeted);
    } else {
      welcome(client, greeted);
    }
  }

  /** Tells another backend which one this is, and whether it has joined others itself. */
  private void answer(int client, Greeted greeted) throws IOException {
    Bytes own = joins.identity();
    Bytes router = joins.isEmpty() ? Bytes.zero(Message.IDENTITY) : own;
    Hello hello = greeted.hello();
    Welcome welcome = new Welcome(hello.version(), own, router, greeted.serverProof(), List.of());
    GreetingServer.welcome(client, welcome, GreetingServer.TIMEOUT_MS);
  }

  /** Why so many sessions cannot be. */
  private Optional<Refusal> full(int count) {
    if (draining) {
      return Optional.of(
          new Refusal(
              Refusal.LIMIT, "this backend is about to end and begins no program any more"));
    }
    return count > mostSessions
        ? Optional.of(
            new Refusal(Refusal.LIMIT, "this backend serves " + mostSessions + " programs already"))
        : Optional.empty();
  }

  private void admit(int client, Greeted greeted, Peer.Principal who) throws IOException {
    Optional<Refusal> full = full(sessions.incrementAndGet());
    if (full.isPresent()) {
      left();
      GreetingServer.refuse(client, full.get(), GreetingServer.TIMEOUT_MS);
      return;
    }
    Admitted admitted = admitted(client, greeted, who);
    if (admitted == null) {
      return;
    }
    try {
      serve(client, greeted, who, admitted);
    } catch (IOException e) {
      admitted.ended(SessionFigures.NOTHING);
      left();
      refuse(client, Refusal.INTERNAL, e.getMessage());
      throw e;
    }
  }

  private void serve(int client, Greeted greeted, Peer.Principal who, Admitted admitted)
      throws IOException {
    SupervisedSession session =
        new SupervisedSession(
            opened.incrementAndGet(), greeted, admitted, suspensions, graceSeconds, quiet);
    try (OtherHosts others = others(greeted, who)) {
      WorkerProcess worker = pool.take();
      lend(worker, who);
      open.add(
          session.identity(),
          new OpenSessions.Opened(worker, who, greeted.proven(), session.returning()));
      session.start(worker, client, folder(who), others, () -> left(session));
    } catch (IOException e) {
      open.remove(session.identity());
      session.close();
      throw e;
    }
  }

  /** Sessions of this process itself end with it, so they are not left to the next daemon. */
  private Optional<SessionFolder> folder(Peer.Principal who) {
    return who instanceof Peer.Itself ? Optional.empty() : folder;
  }

  /** A lease is of this host's devices alone; and what there is here, this process asks first. */
  private OtherHosts others(Greeted greeted, Peer.Principal who) throws IOException {
    if (joins.isEmpty() || !(who instanceof Peer.Controller)) {
      return OtherHosts.NONE;
    }
    int requests = JoinRequests.open(joins);
    List<JoinedHost> hosts = joins.open(greeted.hello());
    LinkRequests.begin(joins, hosts);
    return new OtherHosts(hosts, requests);
  }

  /** Without the folder the worker gets no client: it may have what another tenant left. */
  private void lend(WorkerProcess worker, Peer.Principal who) throws IOException {
    if (caches.isPresent() && worker.user().isPresent()) {
      try {
        caches.get().lend(worker.user().getAsInt(), who);
      } catch (IOException e) {
        worker.stop();
        throw e;
      }
    }
  }

  private void left(SupervisedSession session) {
    session.ended().ifPresent(ended -> open.keep(session.identity(), ended));
    open.remove(session.identity());
    left();
  }

  /** Null where the client is turned away, which it has been told. */
  private Admitted admitted(int client, Greeted greeted, Peer.Principal who) throws IOException {
    try {
      return admission.admit(greeted.hello(), who);
    } catch (RefusedException e) {
      left();
      Log.info("a client was not admitted: " + e.getMessage());
      refuse(client, e.refusal().code(), e.getMessage());
      return null;
    }
  }

  /**
   * Passes a further connection of a client on to its worker, which reads it from its Welcome on.
   */
  private void pass(int client, Greeted greeted, Bytes identity, HandOver.Purpose purpose)
      throws IOException {
    Optional<OpenSessions.Opened> session = open.find(identity);
    if (session.isEmpty()) {
      GreetingServer.refuse(client, gone(identity, purpose), GreetingServer.TIMEOUT_MS);
      return;
    }
    session.get().worker().give(HandOver.Further.of(purpose, client));
    welcome(client, greeted);
  }

  /** A link's key is of no more use once it was proven. */
  private void pass(int client, Greeted greeted, Peer.Linked linked) throws IOException {
    Optional<Bytes> session = links.take(linked.key());
    if (session.isEmpty()) {
      GreetingServer.refuse(client, GreetingServer.NO_SESSION, GreetingServer.TIMEOUT_MS);
      return;
    }
    pass(client, greeted, session.get(), HandOver.Purpose.LINK_FROM);
  }

  private void link(int client, Greeted greeted, Bytes identity) throws IOException {
    Optional<OpenSessions.Opened> session = open.find(identity);
    if (session.isEmpty()) {
      GreetingServer.refuse(client, GreetingServer.NO_SESSION, GreetingServer.TIMEOUT_MS);
      return;
    }
    welcome(client, greeted);
    links.serve(client, identity, session.get());
  }

  /**
   * A returning client has proven that the session was its own, so it learns why the session ended.
   */
  private Refusal gone(Bytes identity, HandOver.Purpose purpose) {
    return open.ended(identity)
        .filter(_ -> purpose == HandOver.Purpose.RETURN)
        .map(ended -> new Refusal(Refusal.SESSION, "it has ended: " + ended.why()))
        .orElse(GreetingServer.NO_SESSION);
  }

  /** Welcomes a connection that opens no session. */
  private static void welcome(int client, Greeted greeted) throws IOException {
    Hello hello = greeted.hello();
    Bytes none = Bytes.zero(Message.IDENTITY);
    Welcome welcome =
        new Welcome(hello.version(), hello.session(), none, greeted.serverProof(), List.of());
    GreetingServer.welcome(client, welcome, GreetingServer.TIMEOUT_MS);
  }

  private static void refuse(int client, int code, String why) throws IOException {
    GreetingServer.refuse(client, new Refusal(code, why), GreetingServer.TIMEOUT_MS);
  }

  private void left() {
    images.ifPresent(ImageFolder::trim);
    sessions.decrementAndGet();
    endIfAlone();
  }

  /**
   * Begins no session any more, waits as long as it was told for those that are open, and ends.
   * Those that are open can still be asked for and about meanwhile.
   */
  public void end() {
    draining = true;
    long end = System.nanoTime() + drainMs * 1_000_000;
    if (drainMs > 0 && sessions.get() > 0) {
      Log.info("waiting for %d sessions to end".formatted(sessions.get()));
    }
    while (!closing.get() && sessions.get() > 0 && System.nanoTime() - end < 0) {
      Pause.ms(ACCEPT_PAUSE_MS);
    }
    close();
  }

  /** Ends it for another daemon, which takes its sessions over; as {@link #end} if none can. */
  public void leave() {
    if (folder.isEmpty()) {
      end();
      return;
    }
    draining = true;
    leaving = true;
    close();
  }

  /** Ends it, and its workers with it; returns when that is done, whoever began it. */
  @Override
  public synchronized void close() {
    if (closing.compareAndSet(false, true)) {
      listeners.forEach(Listener::close);
      lobby.close();
      controls.close();
      if (leaving) {
        pool.leave();
      }
      pool.close();
      keeper.ifPresent(WorkerProcess::stop);
      health.close();
      suspensions.close();
      mps.ifPresent(MpsControl::close);
      if (leaving) {
        admission.leave();
      } else {
        admission.close();
      }
      closed.countDown();
    }
  }

  /** A daemon with nothing set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Settings of a daemon, and their defaults. */
  public static final class Builder {
    private static final int NOBODY = 0;

    private final List<Endpoint> endpoints = new ArrayList<>();
    private final Map<Endpoint, GuestMemory> memories = new HashMap<>();
    private Token token = Token.random();
    private String devices = "auto";
    private int spareWorkers = 1;
    private int mostSessions = 256;
    private int greetingsPerSecond = 200;
    private ThreadFactory greeters = Thread.ofPlatform().name("greeting").daemon(true).factory();
    private boolean insecure;
    private TlsServer tls;
    private GroupPrincipal group;
    private boolean quiet;
    private String outliving;
    private long drainMs;
    private int graceSeconds;
    private boolean tellFallback;
    private Duration kernelLimit;
    private boolean keepsInitialised;
    private boolean mps;
    private int watched = NOBODY;
    private Consumer<Daemon> ready = _ -> {};
    private WorkerUsers users;
    private Path images;
    private Path computeCache;
    private long mostImageBytes;
    private List<String> jvmOptions = List.of();
    private List<String> workerVariables = List.of();
    private WorkerFilter workerFilter = WorkerFilter.ON;
    private Admission admission = Admission.OF_EVERYBODY;
    private boolean looksAfterDevices;
    private Path drill;
    private long suspendMemory = HostSize.bytes() / 2;
    private List<Endpoint> joins = List.of();
    private List<Endpoint> copiesTo = List.of();
    private Token joinToken;

    private Builder() {}

    /**
     * Gives programs the devices of other backends too.
     *
     * @param backends where they are, at most one fewer than {@link Slot#MOST}
     * @param theirs their token; null where the transport vouches
     */
    public Builder join(List<Endpoint> backends, Token theirs) {
      if (backends.size() >= Slot.MOST) {
        throw new IllegalArgumentException("at most " + (Slot.MOST - 1) + " backends are joined");
      }
      joins = List.copyOf(backends);
      joinToken = theirs;
      return this;
    }

    /** Lets programs that have devices here and there copy from here to these backends directly. */
    public Builder copyTo(List<Endpoint> backends) {
      if (backends.size() >= Slot.MOST) {
        throw new IllegalArgumentException("copies go to at most " + (Slot.MOST - 1) + " backends");
      }
      copiesTo = List.copyOf(backends);
      return this;
    }

    /** Listens there too. */
    public Builder listen(Endpoint endpoint) {
      endpoints.add(endpoint);
      return this;
    }

    /** Shares memory with the guest whose programs come there. */
    public Builder memory(Endpoint endpoint, GuestMemory shared) {
      memories.put(endpoint, shared);
      return this;
    }

    /** The token that clients prove where the transport does not vouch for them. */
    public Builder token(Token secret) {
      token = secret;
      return this;
    }

    /** The devices; for CUDA, as {@code DeviceChoice} reads them. */
    public Builder devices(String specification) {
      devices = specification;
      return this;
    }

    /**
     * Workers to keep ready beyond those that serve; 1 by default. The first one is started at
     * once, also with 0.
     */
    public Builder spareWorkers(int count) {
      spareWorkers = count;
      return this;
    }

    /** Most sessions at a time; the next are refused. */
    public Builder mostSessions(int count) {
      mostSessions = count;
      return this;
    }

    /** Most clients to greet a second and endpoint; the next wait. */
    public Builder greetingsPerSecond(int count) {
      greetingsPerSecond = count;
      return this;
    }

    /** The maker of the threads that greet clients. */
    Builder greeters(ThreadFactory threads) {
      greeters = threads;
      return this;
    }

    /** Allows unencrypted TCP that other machines can reach. */
    public Builder insecure(boolean allowed) {
      insecure = allowed;
      return this;
    }

    /** This side of the connections at {@code tls://}. */
    public Builder tls(TlsServer server) {
      tls = server;
      return this;
    }

    /** Lets the members of a group connect to the Unix sockets too, without a token. */
    public Builder socketGroup(GroupPrincipal members) {
      group = members;
      return this;
    }

    private Listening listening() {
      return new Listening(
          insecure, Optional.ofNullable(tls), Optional.ofNullable(group), Log::info);
    }

    /**
     * Sessions outlive this daemon, for the next one at the same Unix socket; not where workers
     * need this one, which is said in the log.
     */
    public Builder outliving(String socket) {
      outliving = socket;
      return this;
    }

    private Optional<SessionFolder> sessionFolder() {
      if (outliving == null) {
        return Optional.empty();
      }
      Optional<String> need = needOfWorkers();
      if (need.isPresent()) {
        return noFolder(need.get());
      }
      try {
        return Optional.of(SessionFolder.beside(outliving));
      } catch (IOException e) {
        return noFolder(e.getMessage());
      }
    }

    /** The reason why workers need this daemon, if there is one. */
    private Optional<String> needOfWorkers() {
      if (mps) {
        return Optional.of(
            "MPS, whose clients they are, ends with it; without --mps they outlive a restart");
      }
      return workerFilter == WorkerFilter.LOG
          ? Optional.of(
              "it answers for calls that their workers make; with --worker-filter on they outlive"
                  + " a restart")
          : Optional.empty();
    }

    private static Optional<SessionFolder> noFolder(String why) {
      Log.warn("programs end with this backend, when it restarts too: " + why);
      return Optional.empty();
    }

    /** How long sessions may go on once the process is told to end; 0 by default. */
    public Builder drainMs(long milliseconds) {
      drainMs = milliseconds;
      return this;
    }

    /**
     * How long a session that has lost its connection waits for its client to come back, from 0 to
     * {@link Welcome#MOST_GRACE}; with 0, as without this, it ends at once.
     */
    public Builder graceSeconds(int seconds) {
      graceSeconds = seconds;
      return this;
    }

    /** Logs only what went wrong. */
    public Builder quiet(boolean onlyFailures) {
      quiet = onlyFailures;
      return this;
    }

    /** Tells each client, in one line, when {@code auto} has found no real GPU. */
    public Builder tellFallback(boolean tell) {
      tellFallback = tell;
      return this;
    }

    /** Keeps the driver of real GPUs initialised between clients (see {@link DriverKeepAlive}). */
    public Builder keepsInitialised(boolean keep) {
      keepsInitialised = keep;
      return this;
    }

    /** Has workers be clients of a control daemon of MPS, which runs for them alone. */
    public Builder mps(boolean wanted) {
      mps = wanted;
      return this;
    }

    /** Tells the admission of devices that fail: real ones, by the vendor's management library. */
    public Builder looksAfterDevices(boolean look) {
      looksAfterDevices = look;
      return this;
    }

    /** Has software GPUs fail when a file says so: a line {@code N REASON} for each. */
    public Builder drill(Path file) {
      drill = file;
      return this;
    }

    private DeviceHealth health(WorkerLauncher launcher) {
      if (drill != null) {
        return DrilledHealth.start(drill, admission);
      }
      return looksAfterDevices && DriverKeepAlive.isUseful(devices)
          ? VendorHealth.start(launcher::startHealth, admission)
          : DeviceHealth.UNKNOWN;
    }

    /** Ends with that process, once its last session is over. */
    public Builder watch(int process) {
      watched = process;
      return this;
    }

    /** Is told when clients can connect; {@link #start} has not returned yet. */
    public Builder ready(Consumer<Daemon> listener) {
      ready = listener;
      return this;
    }

    /** Has each worker run as a user of its own; for a daemon of the superuser. */
    public Builder workerUsers(WorkerUsers range) {
      users = range;
      return this;
    }

    /** Decides which clients are served, and with which devices; the daemon closes it. */
    public Builder admission(Admission decides) {
      admission = decides;
      return this;
    }

    /**
     * Puts aside so many bytes of suspended sessions at a time, at most; half of this machine's
     * memory without this.
     */
    public Builder suspendMemory(long mostBytes) {
      suspendMemory = mostBytes;
      return this;
    }

    /**
     * Keeps images of modules for later clients, in a folder that is made where it is missing, and
     * at most so many bytes of them; without this none are kept.
     */
    public Builder images(Path folder, long mostBytes) {
      images = folder.toAbsolutePath();
      mostImageBytes = mostBytes;
      return this;
    }

    /** Where NVIDIA's driver keeps what it compiles, for workers (see {@link ComputeCaches}). */
    public Builder computeCache(Path folder) {
      computeCache = folder.toAbsolutePath();
      return this;
    }

    /**
     * For how long a kernel of a software GPU may run, in milliseconds; without this, until it
     * ends.
     */
    public Builder kernelLimit(Duration longest) {
      kernelLimit = longest;
      return this;
    }

    /**
     * Variables of this process's environment that the processes that it starts have too, besides
     * those that drivers are known to read; any other stays here, the token above all.
     */
    public Builder workerVariables(List<String> names) {
      workerVariables = List.copyOf(names);
      return this;
    }

    /** Which calls of the kernel workers may make; {@link WorkerFilter#ON} without this. */
    public Builder workerFilter(WorkerFilter filter) {
      workerFilter = filter;
      return this;
    }

    /** Options for the workers' virtual machines. */
    public Builder jvmOptions(List<String> options) {
      jvmOptions = List.copyOf(options);
      return this;
    }

    /** Without the folder no images are kept, and clients send them again. */
    private Optional<ImageFolder> imageFolder() {
      if (images == null) {
        return Optional.empty();
      }
      ImageFolder folder = new ImageFolder(images, mostImageBytes, users != null);
      try {
        folder.prepare();
        return Optional.of(folder);
      } catch (IOException e) {
        Log.warn("images of modules are not kept: " + e);
        return Optional.empty();
      }
    }

    /** Without a folder the driver compiles each time. */
    private Optional<ComputeCaches> computeCaches() {
      if (computeCache == null) {
        return Optional.empty();
      }
      ComputeCaches all = new ComputeCaches(computeCache, users != null);
      try {
        all.prepare();
        return Optional.of(all);
      } catch (IOException e) {
        Log.warn("NVIDIA's driver keeps nothing of what it compiles: " + e);
        return Optional.empty();
      }
    }

    /** A folder for workers of several users would be one that they write for each other. */
    private Map<String, String> given() {
      Map<String, String> given =
          new HashMap<>(ChildEnvironment.of(System.getenv(), workerVariables));
      if (users != null) {
        given.remove(ComputeCaches.VARIABLE);
      }
      return given;
    }

    private List<String> workerOptions(Optional<ImageFolder> kept) {
      List<String> options = new ArrayList<>(jvmOptions);
      kept.ifPresent(folder -> options.addAll(folder.workerOptions()));
      options.add("-D" + CudaDevices.TELL_FALLBACK + "=" + tellFallback);
      if (kernelLimit != null) {
        options.add("-D" + CudaDevices.KERNEL_LIMIT + "=" + kernelLimit.toMillis());
      }
      return options;
    }

    /**
     * Starts it.
     *
     * @throws IOException if it cannot listen where it should; the message says why
     */
    public Daemon start() throws IOException {
      return new Daemon(this);
    }
  }
}
