// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.code.CodeWorker;
import io.outboard.backend.confine.Confinement;
import io.outboard.backend.health.HealthHelper;
import io.outboard.backend.suspend.CheckpointHelper;
import io.outboard.backend.system.ComputeCaches;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.backend.worker.Worker;
import io.outboard.communicator.posix.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Starts worker processes, all from one thread that lives as long as they may: the signal that a
 * worker gets when its parent ends (prctl(2), PR_SET_PDEATHSIG) comes when the <em>thread</em> that
 * started it ends, and the memory layout is a property of that thread too.
 */
public final class WorkerLauncher implements AutoCloseable {
  /**
   * A worker's heap is small and one thread's; its threads need little. Sending is compiled by
   * itself: at the end of a reply's long chain of calls the compiler stops inlining in the middle
   * of the downcall, and each reply would allocate the slice in which errno is captured. The heap
   * is reserved behind the addresses that NVIDIA's driver wants for the heap of kernels, from 8 GiB
   * to 12: on a machine of 64 GiB or more it would lie there, and a worker that is confined to a
   * slot could not initialise the driver.
   */
  public static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:TieredStopAtLevel=4",
          "-XX:CompileCommand=quiet",
          "-XX:CompileCommand=dontinline,io.outboard.communicator.posix.Sockets::send",
          "-Xss512k",
          "-XX:HeapBaseMinAddress=16g",
          "--enable-native-access=ALL-UNNAMED");

  private static final File NOTHING = new File("/dev/null");

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("worker-launcher").daemon(true).factory());
  private final DescriptorReserve reserve = new DescriptorReserve();
  private final String devices;
  private final Map<WorkerKind, List<String>> jvmOptions;
  private final Optional<WorkerUsers> users;
  private final Map<String, String> environment;

  private final Map<String, String> workersOwn;
  private final Optional<ComputeCaches> caches;
  private final WorkerFilter filter;
  private final CrashFiles crashes;
  private final Supplier<Confinement> confinement;

  /**
   * The {@code jvmOptions} of a kind come last and so win; without {@code users} all run as the
   * daemon's.
   *
   * @param environment of all processes, and nothing else is in it (see {@code ChildEnvironment})
   * @param workersOwn variables that workers alone have too
   * @param caches where the driver keeps what it compiles; else where it does by itself
   * @param crashes where virtual machines write when they crash
   * @param confinement of workers of {@link WorkerKind#CONFINED}; asked when it is needed
   */
  public WorkerLauncher(
      String devices,
      Map<WorkerKind, List<String>> jvmOptions,
      Optional<WorkerUsers> users,
      Map<String, String> environment,
      Map<String, String> workersOwn,
      Optional<ComputeCaches> caches,
      WorkerFilter filter,
      CrashFiles crashes,
      Supplier<Confinement> confinement) {
    this.devices = devices;
    this.jvmOptions = jvmOptions;
    this.users = users;
    this.environment = environment;
    this.workersOwn = workersOwn;
    this.caches = caches;
    this.filter = filter;
    this.crashes = crashes;
    this.confinement = confinement;
    thread.execute(WorkerLauncher::useLegacyLayout);
  }

  /**
   * Workers inherit it: a driver's addresses then lie where programs have nothing, so that a
   * program can reserve them. A container's filter may refuse; then reservations may fail, and say
   * so.
   */
  private static void useLegacyLayout() {
    int before = Processes.personality(Processes.PERSONALITY_QUERY);
    if (before < 0 || Processes.personality(before | Processes.ADDR_COMPAT_LAYOUT) < 0) {
      Log.debug("the legacy memory layout is not permitted here");
    }
  }

  /** Returns the filter that workers run with. */
  WorkerFilter filter() {
    return filter;
  }

  /**
   * Starts one.
   *
   * @param socket where it will connect to
   */
  WorkerProcess start(WorkerKind kind, String socket) throws IOException {
    Optional<WorkerUsers> own = kind.isConfined() ? confinement.get().users() : users;
    return own.isPresent()
        ? startAs(own.get(), kind, socket)
        : start(kind, socket, OptionalInt.empty());
  }

  /** Starts a {@link DriverKeepAlive} where it is of use; a backend without one is only slower. */
  public Optional<WorkerProcess> startKeeper() {
    if (!DriverKeepAlive.isUseful(devices)) {
      return Optional.empty();
    }
    try {
      ProcessBuilder keeper = new ProcessBuilder(command(DriverKeepAlive.class, WorkerKind.PLAIN));
      return Optional.of(
          new WorkerProcess(WorkerKind.PLAIN, start(keeper, environment), OptionalInt.empty()));
    } catch (IOException e) {
      Log.warn("the driver is not kept initialised: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Starts a {@link CheckpointHelper}, which is talked to over pipes. */
  public Process startCheckpoints() throws IOException {
    return launch(
        new ProcessBuilder(command(CheckpointHelper.class, WorkerKind.PLAIN))
            .redirectError(ProcessBuilder.Redirect.INHERIT),
        environment);
  }

  /** Starts a {@link HealthHelper}, whose output is read. */
  public Process startHealth() throws IOException {
    return launch(
        new ProcessBuilder(command(HealthHelper.class, WorkerKind.PLAIN))
            .redirectInput(NOTHING)
            .redirectError(ProcessBuilder.Redirect.INHERIT),
        environment);
  }

  private WorkerProcess startAs(WorkerUsers own, WorkerKind kind, String socket)
      throws IOException {
    int user = own.take();
    try {
      WorkerProcess worker = start(kind, socket, OptionalInt.of(user));
      worker.onExit(_ -> own.free(user));
      return worker;
    } catch (IOException e) {
      own.free(user);
      throw e;
    }
  }

  private WorkerProcess start(WorkerKind kind, String socket, OptionalInt user) throws IOException {
    return switch (kind) {
      case PLAIN -> startPlain(socket, user);
      case CONFINED -> startConfined(socket, user);
      case CODE -> startCode(socket, user);
    };
  }

  private WorkerProcess startPlain(String socket, OptionalInt user) throws IOException {
    Map<String, String> variables = new HashMap<>(environment);
    variables.putAll(workersOwn);
    caches.ifPresent(all -> variables.putAll(all.variables(user)));
    Path crash = crashes.create(user);
    try {
      List<String> command = command(socket, WorkerKind.PLAIN, crash);
      user.ifPresent(one -> command.add(Integer.toString(one)));
      Process process = start(new ProcessBuilder(command), variables);
      WorkerProcess worker = new WorkerProcess(WorkerKind.PLAIN, process, user);
      worker.onExit(_ -> crashes.ended(crash));
      return worker;
    } catch (IOException e) {
      crashes.ended(crash);
      throw e;
    }
  }

  /**
   * The starter becomes the user. Nothing that several workers share is shown to it, the place for
   * what crashes leave neither.
   */
  private WorkerProcess startConfined(String socket, OptionalInt user) throws IOException {
    List<String> command = confinement.get().command(user);
    command.addAll(command(socket, WorkerKind.CONFINED, CrashFiles.NOWHERE));
    Map<String, String> variables = Confinement.variables(environment);
    variables.putAll(workersOwn);
    caches
        .filter(ComputeCaches::isOfSeveralUsers)
        .ifPresent(all -> variables.putAll(all.variables(user)));
    return new WorkerProcess(
        WorkerKind.CONFINED, start(new ProcessBuilder(command), variables), user);
  }

  /** As a confined one, without GPUs and what their drivers keep. */
  private WorkerProcess startCode(String socket, OptionalInt user) throws IOException {
    List<String> command = confinement.get().codeCommand(user);
    command.addAll(command(CodeWorker.class, WorkerKind.CODE, CrashFiles.NOWHERE));
    command.add(socket);
    Map<String, String> variables = Confinement.variables(environment);
    return new WorkerProcess(WorkerKind.CODE, start(new ProcessBuilder(command), variables), user);
  }

  /** A worker that another daemon has started has ended, and was a user of its own. */
  void free(int user) {
    Stream.of(users, confinement.get().users())
        .flatMap(Optional::stream)
        .distinct()
        .filter(all -> all.contains(user))
        .forEach(all -> all.free(user));
  }

  private Process start(ProcessBuilder builder, Map<String, String> variables) throws IOException {
    // Standard output belongs to nobody: a worker's words go to the log.
    builder.redirectInput(NOTHING);
    builder.redirectOutput(NOTHING);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    return launch(builder, variables);
  }

  private Process launch(ProcessBuilder builder, Map<String, String> variables) throws IOException {
    builder.environment().clear();
    builder.environment().putAll(variables);
    try {
      return thread.submit(() -> reserve.use(builder::start)).get();
    } catch (ExecutionException e) {
      throw new IOException(firstLine(e.getCause().getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The others are advice on Java that is for no user. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("").strip();
  }

  private List<String> command(String socket, WorkerKind kind, Path crash) {
    List<String> command = command(Worker.class, kind, crash);
    command.add(socket);
    command.add(devices);
    return command;
  }

  /** A helper's. */
  private List<String> command(Class<?> main, WorkerKind kind) {
    return command(main, kind, CrashFiles.NOWHERE);
  }

  private List<String> command(Class<?> main, WorkerKind kind, Path crash) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add(CrashFiles.option(crash));
    command.addAll(jvmOptions.getOrDefault(kind, List.of()));
    command.add(filter.option());
    if (kind.isConfined()) {
      command.add("-D" + Confinement.PROPERTY + "=true");
    }
    users.ifPresent(all -> command.add("-D" + WorkerUsers.PROPERTY + "=" + all));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    return command;
  }

  @Override
  public void close() {
    thread.execute(reserve::release);
    thread.shutdown();
  }
}
