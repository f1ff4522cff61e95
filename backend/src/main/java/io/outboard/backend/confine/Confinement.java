// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.confine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.system.WorkerUsers;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The way in which this machine confines workers, or the reason why it has none. It is found out by
 * a trial of the whole, so that nothing is taken for granted.
 */
public final class Confinement {
  /** A property of workers that are confined. */
  public static final String PROPERTY = "outboard.confined";

  /** The descriptor of the socket by which a confined worker reaches its daemon. */
  public static final int CONNECTION = 3;

  /** The users of confined workers of root, where it has named no others. */
  public static final String USERS = "2147418112-2147418367";

  private static final String STARTER = "outboard-confine";
  private static final String READ = "--read";
  private static final String ONLY_MEMORY = "/tmp";
  private static final int TRIAL_SECONDS = 30;
  private static final int ROOT = 0;

  private final List<String> starter;
  private final List<String> shown;
  private final Optional<WorkerUsers> users;
  private final String result;

  /** Those that workers of code use together. */
  private final OptionalInt codeProcessors;

  private Confinement(
      List<String> starter, List<String> shown, Optional<WorkerUsers> users, String result) {
    this(starter, shown, users, result, OptionalInt.empty());
  }

  private Confinement(
      List<String> starter,
      List<String> shown,
      Optional<WorkerUsers> users,
      String result,
      OptionalInt codeProcessors) {
    this.codeProcessors = codeProcessors;
    this.starter = starter;
    this.shown = shown;
    this.users = users;
    this.result = result;
  }

  /** No worker is confined, for this reason. */
  public static Confinement none(String why) {
    return new Confinement(List.of(), List.of(), Optional.empty(), why);
  }

  /**
   * Tries it.
   *
   * @param tools the folder of Outboard's programs
   * @param given the users that root has named for workers
   * @param machineOptions of workers' virtual machines
   * @param environment of workers
   * @param writable folders that workers write; each user of theirs has its own part there
   */
  public static Confinement tried(
      Path tools,
      Optional<WorkerUsers> given,
      List<String> machineOptions,
      Map<String, String> environment,
      List<Path> writable) {
    Path program = tools.resolve(STARTER).toAbsolutePath();
    if (!Files.isExecutable(program)) {
      return none("there is no " + program);
    }
    Optional<WorkerUsers> users =
        Processes.getuid() == ROOT
            ? given.or(() -> Optional.of(WorkerUsers.shared(USERS)))
            : Optional.empty();
    List<String> options = new ArrayList<>();
    ShownFiles.read(machineOptions, environment).forEach(path -> add(options, READ, path));
    writable.forEach(path -> add(options, "--write", path.toString()));
    ShownFiles.devices().forEach(path -> add(options, "--device", path.toString()));
    if (users.isPresent()) {
      groups().forEach(group -> add(options, "--group", Integer.toString(group)));
    }
    Confinement untried =
        new Confinement(List.of(program.toString()), List.copyOf(options), users, "");
    return untried.tryOnce();
  }

  /** The same where all workers of code together use so many processors at most. */
  public Confinement boundingCode(int processors) {
    return new Confinement(starter, shown, users, result, OptionalInt.of(processors));
  }

  private static void add(List<String> options, String name, String value) {
    options.add(name);
    options.add(value);
  }

  /** The groups of the GPUs' device files; never root's. */
  private static Set<Integer> groups() {
    Set<Integer> groups = new TreeSet<>();
    for (Path device : ShownFiles.devices()) {
      addGroup(groups, device);
      if (Files.isDirectory(device)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(device)) {
          files.forEach(file -> addGroup(groups, file));
        } catch (IOException _) {
          // It has gone: nothing there is of use.
        }
      }
    }
    groups.remove(ROOT);
    return groups;
  }

  private static void addGroup(Set<Integer> groups, Path file) {
    try {
      groups.add((int) Files.getAttribute(file, "unix:gid"));
    } catch (IOException _) {
      // It has gone.
    }
  }

  private Confinement tryOnce() {
    List<String> command = new ArrayList<>(starter);
    command.add("--check");
    command.addAll(shown);
    users.ifPresent(all -> add(command, "--user", Integer.toString(all.first())));
    try {
      return said(new ProcessBuilder(command).start());
    } catch (IOException e) {
      return none(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return none("its trial was interrupted");
    }
  }

  private Confinement said(Process trial) throws IOException, InterruptedException {
    if (!trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
      trial.destroyForcibly();
      return none("its trial takes more than %d seconds".formatted(TRIAL_SECONDS));
    }
    return trial.exitValue() == 0
        ? new Confinement(starter, shown, users, firstLine(trial.getInputStream()))
        : none(firstLine(trial.getErrorStream()));
  }

  private static String firstLine(InputStream from) throws IOException {
    return new String(from.readAllBytes(), UTF_8).lines().findFirst().orElse("it says nothing");
  }

  /** Whether workers can be confined. */
  public boolean isAvailable() {
    return !starter.isEmpty();
  }

  /** The means, or the reason why there are none. */
  public String text() {
    return result;
  }

  /** The users of confined workers; none where they are the daemon's, in user namespaces. */
  public Optional<WorkerUsers> users() {
    return users;
  }

  /** What a worker's command line begins with; the virtual machine's follows. */
  public List<String> command(OptionalInt user) {
    List<String> command = new ArrayList<>(starter);
    command.addAll(shown);
    user.ifPresent(one -> add(command, "--user", Integer.toString(one)));
    command.add("--");
    return command;
  }

  /** The same of a worker that only runs Java: it sees no device, and writes nothing that stays. */
  public List<String> codeCommand(OptionalInt user) {
    List<String> command = new ArrayList<>(starter);
    for (int i = 0; i < shown.size(); i += 2) {
      if (shown.get(i).equals(READ)) {
        add(command, READ, shown.get(i + 1));
      }
    }
    user.ifPresent(one -> add(command, "--user", Integer.toString(one)));
    codeProcessors.ifPresent(most -> add(command, "--processors", Integer.toString(most)));
    command.add("--");
    return command;
  }

  /** The variables of a confined worker: what is kept is kept in its own memory. */
  public static Map<String, String> variables(Map<String, String> given) {
    Map<String, String> all = new HashMap<>(given);
    List.of("LD_PRELOAD", "USER", "LOGNAME", "XDG_RUNTIME_DIR").forEach(all::remove);
    all.put("HOME", ONLY_MEMORY);
    all.put("TMPDIR", ONLY_MEMORY);
    all.put("XDG_CACHE_HOME", ONLY_MEMORY + "/cache");
    all.put("XDG_CONFIG_HOME", ONLY_MEMORY + "/config");
    all.put("XDG_DATA_HOME", ONLY_MEMORY + "/data");
    all.put("POCL_CACHE_DIR", ONLY_MEMORY + "/pocl");
    all.put("CUDA_CACHE_PATH", ONLY_MEMORY + "/nv");
    return all;
  }

  /** Whether this process is a confined worker. */
  public static boolean isOfThisProcess() {
    return Boolean.getBoolean(PROPERTY);
  }
}
