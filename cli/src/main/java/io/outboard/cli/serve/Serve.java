// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.api.ApiServer;
import io.outboard.api.node.NodeAgent;
import io.outboard.backend.daemon.Daemon;
import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.offload.OffloadSettings;
import io.outboard.backend.system.LogFormat;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.Tools;
import io.outboard.cli.command.Version;
import io.outboard.cli.device.Device;
import io.outboard.cli.device.DeviceList;
import io.outboard.cli.device.HostReach;
import io.outboard.cli.discover.AnnounceOption;
import io.outboard.cli.discover.Announcement;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listening;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.ServiceManager;
import io.outboard.lease.Gpu;
import io.outboard.lease.Sharing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.lease.store.StoreException;
import io.outboard.pool.Pool;
import io.outboard.pool.bound.SessionLimits;
import io.outboard.wire.Token;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard serve}. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Serves this machine's devices until it is told to end (Ctrl-C, SIGTERM).",
      "Clients on TCP need the token; its file, which only this user can read, is named at the"
          + " start."
    })
public final class Serve implements Callable<Integer> {
  private static final int PROCESSORS_A_WORKER = 4;
  private static final int MOST_USUAL = 4;
  private static final long MIB = 1 << 20;
  private static final String NONE = "none";
  private static final int OTHERS = 077;
  private static final int OTHERS_WRITE = 022;

  @Spec private CommandSpec spec;

  // ConfigFile has read it when this is parsed.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = ConfigFile.OPTION,
      paramLabel = "FILE",
      description = {
        "Reads options from a file: lines 'name = value' with the names that they have here,",
        "without dashes; a name alone for those without a value. What is typed counts instead."
      })
  private Path config;

  @Option(
      names = "--check-config",
      description = "Checks the options, those of --config too, and does not serve.")
  private boolean checkConfig;

  @Mixin private ListenOptions listen;

  @Mixin private AnnounceOption announcing;

  @Option(
      names = "--device",
      paramLabel = "SPEC",
      defaultValue = "auto",
      description = {
        "auto (the real GPUs if there are some, else the software GPU), nvidia, software[:N],",
        "software:PROFILE[*N] (t4, a100, h100, h200: its name and figures; h200-mig: cut into",
        "slices), opencl[:PLATFORM]",
        "(the host's OpenCL devices alone, of the platforms with that in their names).",
        "Default: ${DEFAULT-VALUE}"
      })
  private String device;

  @Option(
      names = "--insecure-tcp",
      description = "Allows TCP, which is not encrypted, where other machines can reach it.")
  private boolean insecure;

  @Option(
      names = "--socket-group",
      paramLabel = "GROUP",
      description = {
        "Lets the members of a group of this machine use the Unix sockets, without a token: run",
        "programs, and ask for leases of a tenant of their own name."
      })
  private String socketGroup;

  @Option(
      names = "--host-memory",
      paramLabel = "SIZE",
      converter = Quantities.Size.class,
      description = {
        "Most memory of the host for all programs of a lease together; looked up once a second",
        "where the kernel permits no control groups. Default: half of the host's memory."
      })
  private Long hostMemory;

  @Mixin private TlsOptions tls;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = {
        "Workers to keep ready for the next clients.",
        "Default: one for four processors, at least 1 and at most 4."
      })
  private Integer workers;

  @Option(
      names = "--worker-users",
      paramLabel = "FIRST-LAST",
      description = {
        "Each worker runs as a user of its own, of these ids, and cannot trace another or open",
        "what it has. For root; as many clients at a time as there are ids, less --workers. The"
            + " ids",
        "are nobody else's: what runs as one of them ends with its worker."
      })
  private String users;

  @Option(
      names = "--worker-env",
      paramLabel = "NAME",
      description = {
        "A variable of this command's environment that workers have too; may be given several"
            + " times.",
        "Without it they have those alone that drivers are known to read, and no secret."
      })
  private final List<String> workerVariables = new ArrayList<>();

  @Option(
      names = "--worker-filter",
      paramLabel = "MODE",
      defaultValue = "on",
      description = {
        "Which calls of the kernel workers may make: on, those alone that drivers are known to"
            + " need;",
        "off, all; log, all, and the log has those that 'on' would refuse, for a driver that"
            + " fails.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String workerFilter;

  @Option(
      names = "--strict-isolation",
      description = {
        "Does not serve where a kernel can reach all memory of its worker, or nobody knows that it",
        "cannot: the driver maps pageable memory (HMM, ATS), or there are OpenCL devices."
      })
  private boolean strictIsolation;

  @Option(
      names = "--mps",
      description = {
        "Has the leases of an NVIDIA GPU run side by side, each with its share of the",
        "multiprocessors, through NVIDIA's MPS, which is started for the workers alone: an error"
            + " of",
        "one program can end others, and nothing can be suspended. With --device nvidia."
      })
  private boolean mps;

  @Option(
      names = "--state",
      paramLabel = "FOLDER",
      description = {
        "Where leases and the ledger are kept, by one backend at a time.",
        "Default: outboard in $XDG_STATE_HOME or ~/.local/state; for root without a runtime folder",
        "/var/lib/outboard."
      })
  private Path state;

  @Option(
      names = "--require-lease",
      description =
          "Refuses programs that have no lease; without it these share what is not leased.")
  private boolean requireLease;

  @Option(
      names = "--cupti",
      paramLabel = "FILE",
      description =
          "The host's CUPTI (libcupti.so...), by which profilers in programs see GPUs. Default:"
              + " that of the CUDA toolkit.")
  private Path cupti;

  @Option(
      names = "--opengl",
      description =
          "Serves this machine's OpenGL, without windows, to programs whose devices are theirs"
              + " alone: what it takes counts against no lease.")
  private boolean openGl;

  @Mixin private ApiOptions api;
  @Mixin private KernelLimit kernelLimit;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = {
        "How the log on standard error is written: text, json (an object a line), or journal",
        "(lines with priorities). Default: journal where journald reads it, else text."
      })
  private LogFormat logFormat;

  @Mixin private IdleOptions idle;

  @Mixin private SessionOptions sessions;

  @Mixin private JoinOptions joins;

  @Mixin private PoolOptions many;

  @Mixin private GuestMemoryOptions memories;

  @Option(
      names = "--drill",
      paramLabel = "FILE",
      description = {
        "Has software GPUs fail, to try what happens then: when a line 'N REASON' is added to the",
        "file, GPU N has failed."
      })
  private Path drill;

  @Option(
      names = "--replace",
      description = {
        "Takes the place of the backend at the same Unix socket, which is told to leave (SIGUSR1);",
        "its programs go on."
      })
  private boolean replace;

  @Option(
      names = "--drain-timeout",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = {
        "Told to end, begins no program any more, and waits so long for those that run.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int drainTimeout;

  @Mixin private GraceOptions grace;

  @Option(
      names = "--image-cache",
      paramLabel = "FOLDER",
      description = {
        "Where images of modules are kept, so that no program needs to send them again; 'none' for",
        "nowhere. Default: outboard/images in $XDG_CACHE_HOME or ~/.cache; with --worker-users"
            + " none."
      })
  private String imageCache;

  @Option(
      names = "--image-cache-size",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = {
        "Most MiB of images to keep; those that were used last stay. Default: ${DEFAULT-VALUE}"
      })
  private int imageCacheSize;

  @Option(
      names = "--offload",
      paramLabel = "FILE",
      description = {
        "Runs Java code of clients, for whom a file lists the digests of their jars. Without it,",
        "and without a line in the file, no code of a client runs. See docs/offload.md."
      })
  private Path offload;

  @Option(
      names = "--compute-cache",
      paramLabel = "FOLDER",
      description = {
        "Where NVIDIA's driver keeps the machine code that it makes of PTX for workers. Default:"
            + " its",
        "own choice, ~/.nv/ComputeCache; with --worker-users nowhere."
      })
  private Path computeCache;

  /** Where the token is that others need, once it is there. */
  private Optional<Path> tokenFile = Optional.empty();

  @Override
  public Integer call() throws Failure {
    keepOthersFromWriting();
    checkToken();
    check();
    if (logFormat == null) {
      logFormat = LogFormat.usual(System.getenv());
    }
    if (checkConfig) {
      return checkConfig();
    }
    Processes.hide();
    logFormat.use();
    List<Endpoint> endpoints = listen.endpoints(replace);
    try {
      if (replace) {
        Predecessor.leave(ListenOptions.own(endpoints));
      }
      Pool pool =
          new Pool(
              SqliteLocation.in(state()),
              wantsLeases(),
              sharing(),
              sessions.limits(),
              idle.limits(),
              idle.listener());
      pool.mostGrace(grace.limit());
      if (strictIsolation) {
        pool.holdUntilOpen();
      }
      Daemon daemon = start(endpoints, devices(), pool);
      Optional<ApiServer> server = announce(daemon, pool);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(daemon, server), "end"));
      UpgradeSignal.on(() -> leave(daemon, server));
      daemon.await();
      return 0;
    } catch (IOException | StoreException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** Refuses what no file, folder or device has to be asked about, as wrong usage. */
  private void check() throws Failure {
    if (imageCacheSize < 1) {
      throw new ParameterException(spec.commandLine(), "--image-cache-size is at least 1");
    }
    if (workers != null && workers < 0) {
      throw new ParameterException(spec.commandLine(), "--workers is at least 0");
    }
    api.check();
    many.check();
    announcing.check(listen.parsed());
  }

  private boolean wantsLeases() {
    return requireLease || many.isWanted();
  }

  /** Checks the rest, as it would be found out while a backend starts. */
  private int checkConfig() throws Failure {
    try {
      List<Endpoint> endpoints = listen.parsed();
      DeviceChoice devices = devices();
      DaemonBuilder unusedBuilder = configured(endpoints, devices);
      Listening how = new Listening(insecure, Optional.empty(), Optional.empty(), _ -> {});
      for (Endpoint endpoint : endpoints) {
        Communicator.of(endpoint).check(endpoint, how);
      }
      if (api.isEncrypted()) {
        TlsServer unusedServer = tls.server();
      }
      SessionLimits unusedLimits = sessions.limits();
      spec.commandLine().getOut().println("the options can be used");
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** Being told to end is no failure, so the status is not the signal's. */
  private static void end(Daemon daemon, Optional<ApiServer> server) {
    try {
      ServiceManager.tell(ServiceManager.STOPPING, System.getenv());
    } catch (IOException e) {
      System.err.println("outboard: " + e.getMessage());
    }
    daemon.end();
    server.ifPresent(ApiServer::close);
    Runtime.getRuntime().halt(0);
  }

  /** Its programs go on, and the next backend takes them over. */
  private static void leave(Daemon daemon, Optional<ApiServer> server) {
    server.ifPresent(ApiServer::close);
    daemon.leave();
    Runtime.getRuntime().halt(0);
  }

  private Sharing sharing() {
    if (mps) {
      return Sharing.MPS;
    }
    return Daemon.hasMeasures(devices()) ? Sharing.TURNS : Sharing.MEASURED_TURNS;
  }

  private DeviceChoice devices() {
    try {
      return DeviceChoice.parse(device);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static int usualWorkers() {
    return Math.clamp(
        Runtime.getRuntime().availableProcessors() / PROCESSORS_A_WORKER, 1, MOST_USUAL);
  }

  /** One that is given must be one, also where nothing is served that wants it. */
  private static void checkToken() throws Failure {
    try {
      if (!System.getenv().getOrDefault(TokenFile.VARIABLE, "").isEmpty()) {
        Optional<Token> unused = TokenFile.find(System.getenv());
      }
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** Whatever this process or a library of it makes, another user could exchange it else. */
  private static void keepOthersFromWriting() {
    int before = Processes.umask(OTHERS);
    int unused = Processes.umask(before | OTHERS_WRITE);
  }

  private Path state() {
    return StateFolder.of(state);
  }

  private Daemon start(List<Endpoint> endpoints, DeviceChoice devices, Pool pool)
      throws IOException {
    DaemonBuilder builder = configured(endpoints, devices).admission(pool);
    if (!endpoints.stream().allMatch(Communicator::vouches)) {
      builder.token(token());
    }
    return builder.start();
  }

  /** All that options say of a daemon. */
  private DaemonBuilder configured(List<Endpoint> endpoints, DeviceChoice devices)
      throws IOException {
    if (drill != null && devices.kind() != DeviceChoice.Kind.SOFTWARE) {
      throw new ParameterException(spec.commandLine(), "--drill is for software GPUs");
    }
    if (mps) {
      checkMps(devices);
    }
    DaemonBuilder builder =
        Daemon.builder()
            .devices(devices.toString())
            .insecure(insecure)
            .drainMs(drainTimeout * 1000L)
            .graceSeconds(grace.seconds())
            .keepsInitialised(true)
            .looksAfterDevices(true)
            .mps(mps)
            .openGl(openGl)
            .spareWorkers(workers != null ? workers : usualWorkers())
            .workerVariables(workerVariables)
            .workerFilter(workerFilter())
            .crashes(state().resolve("crashes"))
            .confinedBy(Tools.folder())
            .jvmOptions(workerOptions());
    Optional.ofNullable(idle.memory()).ifPresent(builder::suspendMemory);
    Optional.ofNullable(hostMemory).ifPresent(builder::hostMemory);
    Optional.ofNullable(drill).ifPresent(builder::drill);
    Optional.ofNullable(cupti).ifPresent(builder::cupti);
    kernelLimit.wanted(devices, System.getenv()).ifPresent(builder::kernelLimit);
    workerUsers().ifPresent(builder::workerUsers);
    if (socketGroup != null) {
      builder.socketGroup(group(endpoints));
    }
    imageFolder().ifPresent(folder -> builder.images(folder, imageCacheSize * MIB));
    Optional.ofNullable(computeCache).ifPresent(builder::computeCache);
    if (offload != null) {
      builder.offload(OffloadSettings.read(offload));
    }
    joins.apply(builder);
    listen.apply(builder, endpoints);
    memories.apply(builder, endpoints);
    ListenOptions.socket(endpoints).map(Endpoint::path).ifPresent(builder::outliving);
    if (endpoints.stream().anyMatch(TlsOptions::isWanted)) {
      builder.tls(tls.server());
    }
    return builder;
  }

  private GroupPrincipal group(List<Endpoint> endpoints) throws IOException {
    if (endpoints.stream().noneMatch(Communicator::vouches)) {
      throw new ParameterException(
          spec.commandLine(), "--socket-group is for a Unix socket: --listen names none");
    }
    try {
      return FileSystems.getDefault()
          .getUserPrincipalLookupService()
          .lookupPrincipalByGroupName(socketGroup);
    } catch (UserPrincipalNotFoundException e) {
      throw new ParameterException(
          spec.commandLine(), "there is no group '" + socketGroup + "' on this machine", e);
    }
  }

  private void checkMps(DeviceChoice devices) {
    if (devices.kind() != DeviceChoice.Kind.NVIDIA) {
      throw new ParameterException(spec.commandLine(), "--mps goes with --device nvidia alone");
    }
    if (users != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--mps does not go with --worker-users: MPS serves one user at a time, and the workers of"
              + " others would wait until his have ended");
    }
    if (idle.suspends()) {
      throw new ParameterException(
          spec.commandLine(),
          "--mps does not go with --idle-suspend: its clients stay as they are");
    }
  }

  private List<String> workerOptions() {
    return Stream.concat(WorkerOptions.ofThisProcess().stream(), Stream.of(logFormat.option()))
        .toList();
  }

  private Optional<Path> imageFolder() {
    if (imageCache != null) {
      return Optional.of(imageCache).filter(name -> !name.equals(NONE)).map(Path::of);
    }
    return users != null ? Optional.empty() : CacheFolder.of(System.getenv());
  }

  private WorkerFilter workerFilter() {
    try {
      return WorkerFilter.parse(workerFilter);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Optional<WorkerUsers> workerUsers() {
    if (users != null && Processes.getuid() != 0) {
      throw new ParameterException(
          spec.commandLine(), "--worker-users is for root: nobody else can become other users");
    }
    try {
      return Optional.ofNullable(users).map(WorkerUsers::parse);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Token token() throws IOException {
    Token token = TokenFile.ofBackend(System.getenv());
    if (!TokenFile.isGiven(System.getenv())) {
      tokenFile = Optional.of(TokenFile.path(System.getenv()));
    }
    return token;
  }

  private Optional<ApiServer> announce(Daemon daemon, Pool pool) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Device> found =
        DeviceList.of(
            ListenOptions.own(daemon.endpoints()),
            Map.of(TokenFile.VARIABLE, pool.operator().digits()));
    tellReach(found, pool);
    String nativeCode = daemon.nativeCode().text();
    pool.nativeCode(nativeCode);
    pool.open(found.stream().filter(Device::canBeLeased).map(Serve::gpu).toList());
    if (!wantsLeases()) {
      pool.joined(joined(daemon.endpoints()).stream().map(Device::form).toList());
    }
    List<String> uris = daemon.endpoints().stream().map(Endpoint::toString).toList();
    Optional<ApiServer> server = api.start(pool, state(), uris, tls);
    Optional<NodeAgent> unused = many.join(pool, state(), daemon.endpoints());
    String devices = found.stream().map(Device::title).collect(Collectors.joining(", "));
    daemon.endpoints().forEach(endpoint -> out.println("serving " + devices + " at " + endpoint));
    if (!nativeCode.isEmpty()) {
      out.println(nativeCode);
    }
    tokenFile.ifPresent(file -> out.println("token in " + file));
    server.ifPresent(served -> out.println("api at " + served.uri()));
    boolean cuda = !device.startsWith("opencl");
    out.println(NextSteps.line(daemon.endpoints(), wantsLeases(), cuda));
    out.flush();
    ServiceManager.tell(ServiceManager.READY, System.getenv());
    announcing.announce(
        Announcement.BACKEND,
        daemon.endpoints(),
        found.size(),
        found.isEmpty() ? "" : found.getFirst().name(),
        server.map(served -> served.uri().toString()).orElse(""));
    return server;
  }

  /** Over a socket of this user no token is needed, and the one of the joined may be at hand. */
  private List<Device> joined(List<Endpoint> endpoints) throws IOException {
    Endpoint own = ListenOptions.own(endpoints);
    return joins.devices(
        own, Communicator.vouches(own) ? Map.of() : Map.of(TokenFile.VARIABLE, token().digits()));
  }

  /** Before anybody but this process is served, where that is not to be. */
  private void tellReach(List<Device> found, Pool pool) throws IOException {
    for (Device device : found) {
      if (strictIsolation && device.reach() != HostReach.NONE) {
        throw new IOException(
            "--strict-isolation: %s is not served: %s"
                .formatted(device.title(), device.reach().text()));
      }
    }
    pool.exposed(
        found.stream()
            .filter(device -> device.reach().isAll())
            .map(device -> device.title() + ": " + device.reach().fact())
            .distinct()
            .collect(Collectors.joining("; ")));
  }

  private static Gpu gpu(Device device) {
    return new Gpu(
        device.number(),
        device.uuid(),
        device.name(),
        device.memory(),
        device.architecture(),
        device.slice());
  }
}
