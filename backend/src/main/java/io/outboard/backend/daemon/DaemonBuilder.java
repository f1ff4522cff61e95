// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.confine.NativeCode;
import io.outboard.backend.cuda.ImageFolder;
import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.gl.GlService;
import io.outboard.backend.health.DeviceHealth;
import io.outboard.backend.health.DrilledHealth;
import io.outboard.backend.health.VendorHealth;
import io.outboard.backend.launch.CrashFiles;
import io.outboard.backend.launch.DriverKeepAlive;
import io.outboard.backend.launch.WorkerLauncher;
import io.outboard.backend.library.Libraries;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.offload.OffloadSettings;
import io.outboard.backend.profile.HostCupti;
import io.outboard.backend.succession.SessionFolder;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.system.ChildEnvironment;
import io.outboard.backend.system.ComputeCaches;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.backend.worker.SessionOpener;
import io.outboard.backend.worker.Worker;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listening;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.softgpu.profile.HostSize;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Settings of a daemon, and their defaults. */
public final class DaemonBuilder {
  static final int NOBODY = 0;

  final List<Endpoint> endpoints = new ArrayList<>();
  final Map<Endpoint, Runnable> ifFree = new HashMap<>();
  final Map<Endpoint, GuestMemory> memories = new HashMap<>();
  Token token = Token.random();
  String devices = "auto";
  int spareWorkers = 1;
  int mostSessions = 256;
  int greetingsPerSecond = 200;
  ThreadFactory greeters = Thread.ofPlatform().name("greeting").daemon(true).factory();
  boolean insecure;
  TlsServer tls;
  GroupPrincipal group;
  boolean quiet;
  String outliving;
  long drainMs;
  int graceSeconds;
  boolean tellFallback;
  Duration kernelLimit;
  Path cupti;
  boolean openGl;
  boolean keepsInitialised;
  boolean mps;
  int watched = NOBODY;
  Consumer<Daemon> ready = _ -> {};
  WorkerUsers users;
  Path images;
  Path computeCache;
  Path crashes;
  long mostImageBytes;
  List<String> jvmOptions = List.of();
  List<String> workerVariables = List.of();
  WorkerFilter workerFilter = WorkerFilter.ON;
  Path tools;
  Admission admission = Admission.OF_EVERYBODY;
  boolean looksAfterDevices;
  Path drill;
  long suspendMemory = HostSize.bytes() / 2;
  long hostMemory = HostSize.bytes() / 2;
  List<Endpoint> joins = List.of();
  List<Endpoint> copiesTo = List.of();
  Token joinToken;
  OffloadSettings offload;

  DaemonBuilder() {}

  /**
   * Gives programs the devices of other backends too.
   *
   * @param backends where they are, at most one fewer than {@link Slot#MOST}
   * @param theirs their token; null where the transport vouches
   */
  public DaemonBuilder join(List<Endpoint> backends, Token theirs) {
    if (backends.size() >= Slot.MOST) {
      throw new IllegalArgumentException("at most " + (Slot.MOST - 1) + " backends are joined");
    }
    joins = List.copyOf(backends);
    joinToken = theirs;
    return this;
  }

  /** Lets programs that have devices here and there copy from here to these backends directly. */
  public DaemonBuilder copyTo(List<Endpoint> backends) {
    if (backends.size() >= Slot.MOST) {
      throw new IllegalArgumentException("copies go to at most " + (Slot.MOST - 1) + " backends");
    }
    copiesTo = List.copyOf(backends);
    return this;
  }

  /** Listens there too. */
  public DaemonBuilder listen(Endpoint endpoint) {
    endpoints.add(endpoint);
    return this;
  }

  /**
   * The same where nobody else listens; else the daemon leaves it to them, and {@code taken} runs.
   */
  public DaemonBuilder listenIfFree(Endpoint endpoint, Runnable taken) {
    ifFree.put(endpoint, taken);
    return listen(endpoint);
  }

  /** Shares memory with the guest whose programs come there. */
  public DaemonBuilder memory(Endpoint endpoint, GuestMemory shared) {
    memories.put(endpoint, shared);
    return this;
  }

  /** The token that clients prove where the transport does not vouch for them. */
  public DaemonBuilder token(Token secret) {
    token = secret;
    return this;
  }

  /** The devices; for CUDA, as {@code DeviceChoice} reads them. */
  public DaemonBuilder devices(String specification) {
    devices = specification;
    return this;
  }

  /**
   * Workers to keep ready beyond those that serve; 1 by default. The first one is started at once,
   * also with 0.
   */
  public DaemonBuilder spareWorkers(int count) {
    spareWorkers = count;
    return this;
  }

  /** Most sessions at a time; the next are refused. */
  public DaemonBuilder mostSessions(int count) {
    mostSessions = count;
    return this;
  }

  /** Most clients to greet a second and endpoint; the next wait. */
  public DaemonBuilder greetingsPerSecond(int count) {
    greetingsPerSecond = count;
    return this;
  }

  /** The maker of the threads that greet clients. */
  DaemonBuilder greeters(ThreadFactory threads) {
    greeters = threads;
    return this;
  }

  /** Allows unencrypted TCP that other machines can reach. */
  public DaemonBuilder insecure(boolean allowed) {
    insecure = allowed;
    return this;
  }

  /** This side of the connections at {@code tls://}. */
  public DaemonBuilder tls(TlsServer server) {
    tls = server;
    return this;
  }

  /** Lets the members of a group connect to the Unix sockets too, without a token. */
  public DaemonBuilder socketGroup(GroupPrincipal members) {
    group = members;
    return this;
  }

  Listening listening() {
    return new Listening(insecure, Optional.ofNullable(tls), Optional.ofNullable(group), Log::info);
  }

  /**
   * Sessions outlive this daemon, for the next one at the same Unix socket, if this one gets it;
   * not where workers need this one, which is said in the log.
   */
  public DaemonBuilder outliving(String socket) {
    outliving = socket;
    return this;
  }

  /** That of a daemon which listens at these places. */
  Optional<SessionFolder> sessionFolder(List<Endpoint> had) {
    if (outliving == null || had.stream().noneMatch(Endpoint.unix(outliving)::equals)) {
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
  public DaemonBuilder drainMs(long milliseconds) {
    drainMs = milliseconds;
    return this;
  }

  /**
   * How long a session that has lost its connection waits for its client to come back, from 0 to
   * {@link Welcome#MOST_GRACE}; with 0, as without this, it ends at once.
   */
  public DaemonBuilder graceSeconds(int seconds) {
    graceSeconds = seconds;
    return this;
  }

  /** Logs only what went wrong. */
  public DaemonBuilder quiet(boolean onlyFailures) {
    quiet = onlyFailures;
    return this;
  }

  /** Tells each client, in one line, when {@code auto} has found no real GPU. */
  public DaemonBuilder tellFallback(boolean tell) {
    tellFallback = tell;
    return this;
  }

  /** Keeps the driver of real GPUs initialised between clients (see {@link DriverKeepAlive}). */
  public DaemonBuilder keepsInitialised(boolean keep) {
    keepsInitialised = keep;
    return this;
  }

  /** Has workers be clients of a control daemon of MPS, which runs for them alone. */
  public DaemonBuilder mps(boolean wanted) {
    mps = wanted;
    return this;
  }

  /** Tells the admission of devices that fail: real ones, by the vendor's management library. */
  public DaemonBuilder looksAfterDevices(boolean look) {
    looksAfterDevices = look;
    return this;
  }

  /** Has software GPUs fail when a file says so: a line {@code N REASON} for each. */
  public DaemonBuilder drill(Path file) {
    drill = file;
    return this;
  }

  DeviceHealth health(WorkerLauncher launcher) {
    if (drill != null) {
      return DrilledHealth.start(drill, admission);
    }
    return looksAfterDevices && DriverKeepAlive.isUseful(devices)
        ? VendorHealth.start(launcher::startHealth, admission)
        : DeviceHealth.UNKNOWN;
  }

  /** Ends with that process, once its last session is over. */
  public DaemonBuilder watch(int process) {
    watched = process;
    return this;
  }

  /** Is told when clients can connect; {@link #start} has not returned yet. */
  public DaemonBuilder ready(Consumer<Daemon> listener) {
    ready = listener;
    return this;
  }

  /** Has each worker run as a user of its own; for a daemon of the superuser. */
  public DaemonBuilder workerUsers(WorkerUsers range) {
    users = range;
    return this;
  }

  /** Decides which clients are served, and with which devices; the daemon closes it. */
  public DaemonBuilder admission(Admission decides) {
    admission = decides;
    return this;
  }

  /**
   * Puts aside so many bytes of suspended sessions at a time, at most; half of this machine's
   * memory without this.
   */
  public DaemonBuilder suspendMemory(long mostBytes) {
    suspendMemory = mostBytes;
    return this;
  }

  /**
   * Has all workers of a lease have so many bytes of this machine's memory together, at most; half
   * of it without this. Where the kernel permits no control group there is no bound.
   */
  public DaemonBuilder hostMemory(long mostBytes) {
    hostMemory = mostBytes;
    return this;
  }

  /**
   * Keeps images of modules for later clients, in a folder that is made where it is missing, and at
   * most so many bytes of them; without this none are kept.
   */
  public DaemonBuilder images(Path folder, long mostBytes) {
    images = folder.toAbsolutePath();
    mostImageBytes = mostBytes;
    return this;
  }

  /** Keeps what workers' virtual machines write when they crash; without this nothing of it. */
  public DaemonBuilder crashes(Path folder) {
    crashes = folder.toAbsolutePath();
    return this;
  }

  CrashFiles crashes() {
    return crashes == null ? CrashFiles.none() : CrashFiles.in(crashes, users != null);
  }

  /** Where NVIDIA's driver keeps what it compiles, for workers (see {@link ComputeCaches}). */
  public DaemonBuilder computeCache(Path folder) {
    computeCache = folder.toAbsolutePath();
    return this;
  }

  /** Serves the host's OpenGL to sessions whose devices are theirs alone. */
  public DaemonBuilder openGl(boolean wanted) {
    openGl = wanted;
    return this;
  }

  /** The file of the host's CUPTI; without this, that of the CUDA toolkit. */
  public DaemonBuilder cupti(Path library) {
    cupti = library.toAbsolutePath();
    return this;
  }

  /**
   * For how long a kernel of a software GPU may run, in milliseconds; without this, until it ends.
   */
  public DaemonBuilder kernelLimit(Duration longest) {
    kernelLimit = longest;
    return this;
  }

  /**
   * Variables of this process's environment that the processes that it starts have too, besides
   * those that drivers are known to read; any other stays here, the token above all.
   */
  public DaemonBuilder workerVariables(List<String> names) {
    workerVariables = List.copyOf(names);
    return this;
  }

  /** Which calls of the kernel workers may make; {@link WorkerFilter#ON} without this. */
  public DaemonBuilder workerFilter(WorkerFilter filter) {
    workerFilter = filter;
    return this;
  }

  /**
   * Confines workers of clients that are not the operator, where native code could run, by a
   * program in this folder; without this, and where the machine does not permit it, such code is
   * the operator's alone.
   */
  public DaemonBuilder confinedBy(Path folder) {
    tools = folder;
    return this;
  }

  NativeCode nativeCode(Optional<ImageFolder> kept, Optional<ComputeCaches> caches) {
    Set<String> libraries =
        Libraries.present().stream()
            .filter(this::runsNativeCode)
            .map(LibraryService::library)
            .collect(Collectors.toUnmodifiableSet());
    return new NativeCode(
        libraries,
        libraries.isEmpty() && offload == null ? Confinement.none("") : confinement(kept, caches));
  }

  /**
   * OpenGL, whose programs a host without a GPU compiles for its processors, is not always there.
   */
  private boolean runsNativeCode(LibraryService library) {
    boolean there = openGl || !(library instanceof GlService);
    return there && library.runsNativeCode(devices);
  }

  private Confinement confinement(Optional<ImageFolder> kept, Optional<ComputeCaches> caches) {
    if (tools == null) {
      return Confinement.none("this backend was started without the means");
    }
    if (mps) {
      return Confinement.none("MPS serves one user, whose processes it has to reach");
    }
    if (workerFilter != WorkerFilter.ON) {
      return Confinement.none("--worker-filter is " + workerFilter);
    }
    Stream<Path> writable =
        Stream.concat(
            kept.filter(ImageFolder::isOfSeveralUsers).map(ImageFolder::path).stream(),
            caches.filter(ComputeCaches::isOfSeveralUsers).map(ComputeCaches::path).stream());
    Confinement confinement =
        Confinement.tried(
            tools, Optional.ofNullable(users), jvmOptions, given(), writable.toList());
    return offload == null ? confinement : confinement.boundingCode(offload.bounds().processors());
  }

  /** Runs the code that these settings allow; without this none of a client's. */
  public DaemonBuilder offload(OffloadSettings settings) {
    offload = settings;
    return this;
  }

  /** Options for the workers' virtual machines. */
  public DaemonBuilder jvmOptions(List<String> options) {
    jvmOptions = List.copyOf(options);
    return this;
  }

  /** Without the folder no images are kept, and clients send them again. */
  Optional<ImageFolder> imageFolder() {
    if (images == null) {
      return Optional.empty();
    }
    ImageFolder folder = new ImageFolder(images, mostImageBytes, users != null);
    try {
      folder.prepare();
      return Optional.of(folder);
    } catch (IOException e) {
      Log.warn("images of modules are not kept", e);
      return Optional.empty();
    }
  }

  /** Without a folder the driver compiles each time. */
  Optional<ComputeCaches> computeCaches() {
    if (computeCache == null) {
      return Optional.empty();
    }
    ComputeCaches all = new ComputeCaches(computeCache, users != null);
    try {
      all.prepare();
      return Optional.of(all);
    } catch (IOException e) {
      Log.warn("NVIDIA's driver keeps nothing of what it compiles", e);
      return Optional.empty();
    }
  }

  /** A folder for workers of several users would be one that they write for each other. */
  Map<String, String> given() {
    Map<String, String> given =
        new HashMap<>(ChildEnvironment.of(System.getenv(), workerVariables));
    if (users != null) {
      given.remove(ComputeCaches.VARIABLE);
    }
    return given;
  }

  /** Those of workers of code, which have no more memory than their operator says. */
  List<String> codeOptions() {
    List<String> options = new ArrayList<>(jvmOptions);
    if (offload != null) {
      options.addAll(offload.bounds().machineOptions());
    }
    return options;
  }

  List<String> workerOptions(Optional<ImageFolder> kept, boolean outlives) {
    List<String> options = new ArrayList<>(jvmOptions);
    kept.ifPresent(folder -> options.addAll(folder.workerOptions()));
    options.add("-D" + CudaDevices.TELL_FALLBACK + "=" + tellFallback);
    options.add("-D" + SessionOpener.LINKS + "=" + !copiesTo.isEmpty());
    options.add("-D" + Worker.OUTLIVES + "=" + outlives);
    if (kernelLimit != null) {
      options.add("-D" + CudaDevices.KERNEL_LIMIT + "=" + kernelLimit.toMillis());
    }
    options.add("-D" + GlService.ALLOWED + "=" + openGl);
    if (cupti != null) {
      options.add("-D" + HostCupti.FILE + "=" + cupti);
    }
    return options;
  }

  /**
   * Starts it.
   *
   * @throws IOException if it cannot listen where it should; the message says why
   */
  public Daemon start() throws IOException {
    return Daemon.start(this);
  }
}
