// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A cluster of Slurm on this machine, of {@code conformance/slurm/cluster}: a controller and three
 * nodes, with the adapter and the client at the places that their packages give them.
 */
final class SlurmCluster {
  private static final List<String> DAEMONS = List.of("munged", "slurmctld", "slurmd", "squeue");
  private static final Path SCRIPT = Home.PATH.resolve("conformance/slurm/cluster");

  /** Kills the processes of the job by whose number it is called, and those that watch over it. */
  private static final String VANISH =
      """
      for watcher in $(pgrep -f "^slurmstepd: .$0[.]"); do
        kill -STOP "$watcher"
        for task in $(pgrep -P "$watcher"); do
          pkill -KILL -g "$task"
        done
        kill -KILL "$watcher"
      done
      """;

  /** Who has no rights and no account of use. */
  private static final List<String> NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  private final Path folder;
  private final Path adapter;
  private final Map<String, String> variables;

  private SlurmCluster(Path folder) {
    this.folder = folder;
    adapter = folder.resolve("slurm");
    variables =
        Map.of(
            "SLURM_CONF",
            folder.resolve("slurm.conf").toString(),
            "OUTBOARD_SLURM_CONF",
            settings().toString(),
            "OUTBOARD_SLURM_RUN",
            folder.resolve("run").toString(),
            "HOME",
            "/",
            "PATH",
            System.getenv("PATH") + ":/usr/sbin:/sbin");
  }

  /** Whether Slurm is installed. */
  static boolean isHere() throws IOException, InterruptedException {
    for (String daemon : DAEMONS) {
      String path = "PATH=$PATH:/usr/sbin:/sbin; command -v " + daemon;
      if (Program.run(List.of("sh", "-c", path), Map.of()).status() != 0) {
        return false;
      }
    }
    return true;
  }

  /** Starts one. */
  static SlurmCluster start() throws IOException, InterruptedException {
    SlurmCluster cluster = new SlurmCluster(Folders.make("outboard-slurm"));
    cluster.install();
    cluster.startIn();
    return cluster;
  }

  private void install() throws IOException, InterruptedException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    Path python = Files.createDirectories(folder.resolve("python/outboard"));
    copy(Home.PATH.resolve("adapters/slurm"), adapter);
    for (String file : List.of("__init__.py", "_api.py", "_token.py")) {
      Files.copy(Home.PATH.resolve("adapters/python/outboard").resolve(file), python.resolve(file));
    }
    Files.move(
        Tarballs.unpack(Tarballs.client(), folder.resolve("unpacked")), folder.resolve("client"));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(file -> !file.toString().contains("__pycache__")).toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  /** Ends whatever runs of a cluster in a folder. */
  static void stop(Path folder) throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(List.of(SCRIPT.toString(), "stop", folder.toString()), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }

  private void startIn() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            SCRIPT.toString(),
            "start",
            folder.toString(),
            adapter.toString(),
            folder.resolve("client/bin").toString());
    Program.Ended ended = Program.run(command, Map.of());
    assertEquals(0, ended.status(), () -> ended + logs());
  }

  /** Whether it has accounts of its jobs. */
  boolean hasAccounts() {
    return Files.exists(folder.resolve("slurmdbd.conf"));
  }

  /** What its daemons say. */
  String logs() {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        all.append(file).append('\n').append(Files.readString(file));
      }
    } catch (IOException e) {
      all.append(e);
    }
    return all.toString();
  }

  private Path settings() {
    return folder.resolve("outboard/slurm.conf");
  }

  /** What the adapter of a node has written for the tasks of a job. */
  Path file(String job, String node) {
    return folder.resolve("run").resolve(job + "." + node);
  }

  /** Sets the adapter up, with a token that is nobody else's. */
  void configure(String token, String lines) throws IOException {
    Path file = folder.resolve("outboard/token");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, token);
    Files.writeString(settings(), lines + "token-file = " + file + "\n");
  }

  /** The variables by which commands of Slurm's are about this cluster. */
  Map<String, String> variables() {
    return Map.of("SLURM_CONF", variables.get("SLURM_CONF"));
  }

  /** Runs a command of Slurm's, or of the adapter's, to its end. */
  Program.Ended run(String... command) throws IOException, InterruptedException {
    return Program.run(List.of(command), variables);
  }

  /** The same as a user without rights. */
  Program.Ended runAsNobody(String... command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(NOBODY);
    words.addAll(List.of(command));
    return Program.run(words, variables);
  }

  /** The output of a command, which succeeds. */
  String says(String... command) throws IOException, InterruptedException {
    Program.Ended ended = run(command);
    assertEquals(0, ended.status(), () -> ended + logs());
    return ended.output().strip();
  }

  /** Submits a script of one line, which prints nothing; returns the job's number. */
  String submit(String line, String... options) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("sbatch", "--parsable", "--output=/dev/null", "--chdir=/"));
    command.addAll(List.of(options));
    command.add("--wrap=" + line);
    return says(command.toArray(String[]::new));
  }

  /** Waits until a job is in a state, as Slurm writes it. */
  void await(String job, String state) throws Exception {
    Patience.until(() -> "job " + job + " is " + state + logs(), () -> state(job).contains(state));
  }

  private String state(String job) throws IOException, InterruptedException {
    return run("squeue", "--noheader", "--states=all", "--format=%T", "--jobs=" + job).output();
  }

  /** Compares jobs and leases once, as the adapter's service does. */
  void watch() throws IOException, InterruptedException {
    says(adapter.resolve("outboard-slurm").toString(), "watch", "--once");
  }

  /** A program of the adapter's. */
  String program(String name) {
    return folder.resolve(name).toString();
  }

  /** Kills the controller once it has saved a job's state, and starts another one. */
  void replaceController(String job) throws Exception {
    awaitSaved(job);
    restartController();
  }

  /** Waits until the controller has saved all jobs, of which one changes to that end. */
  void awaitSaved(String job) throws Exception {
    Instant now = Instant.now();
    Path saved = folder.resolve("state/job_state");
    // What does not change is not saved again.
    says("scontrol", "update", "job", job, "Name=saved");
    Patience.until(
        "the controller saves its jobs",
        () -> Files.exists(saved) && Files.getLastModifiedTime(saved).toInstant().isAfter(now));
  }

  /** Kills the controller, whatever it has saved, and starts another one. */
  void restartController() throws Exception {
    killController();
    startController();
  }

  /** Kills the controller. */
  void killController() throws Exception {
    kill("slurmctld");
  }

  /** Starts one in the place of one that was killed. */
  void startController() throws Exception {
    says("slurmctld");
    Patience.until("Slurm answers", () -> run("squeue").status() == 0);
  }

  /** Kills a node's daemon, which leaves its jobs, and starts another one. */
  void restartNode(String node) throws Exception {
    kill("slurmd." + node);
    says("slurmd", "-N", node);
  }

  /** Has a node vanish with all that runs there for a job, and with its files for a time. */
  void loseNode(String node, String job) throws Exception {
    kill("slurmd." + node);
    says("sh", "-c", VANISH, job);
    Files.delete(file(job, node));
  }

  /** Has it come back, as its operator does who knows that nothing runs there. */
  void startNode(String node) throws IOException, InterruptedException {
    says("scontrol", "update", "NodeName=" + node, "State=DOWN", "Reason=lost");
    says("slurmd", "-N", node);
    // It may have been taken back by itself meanwhile.
    run("scontrol", "update", "NodeName=" + node, "State=RESUME");
  }

  private void kill(String daemon) throws Exception {
    long number = Long.parseLong(Files.readString(folder.resolve(daemon + ".pid")).strip());
    ProcessHandle.of(number).orElseThrow().destroyForcibly();
    Patience.until(daemon + " has ended", () -> !isAlive(number));
  }

  /** One that nobody has waited for is none. */
  private static boolean isAlive(long process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process), "status");
    return Files.exists(status) && !Files.readString(status).contains("State:\tZ");
  }

  /** Ends it, and its files. */
  void end() throws IOException, InterruptedException {
    stop(folder);
    Folders.remove(folder);
  }
}
