// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.posix.Processes;
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A holder of a lease attacks the backend's machine from inside of an OpenCL kernel, and from a
 * library that it has put into a program binary: {@code conformance/c/opencl/attacker.c} says how.
 * Where the host has OpenCL on processors.
 */
final class ConfinedWorkerTest {
  private static final Path ATTACKER = Home.PROGRAMS.resolve("attacker");
  private static final List<String> BINARY =
      List.of("--binary", Home.PROGRAMS.resolve("hostile.so").toString());
  private static final Pattern RESULT =
      Pattern.compile("(\\d+) calls and (\\d+) files: (\\d+) got through\n");

  /** None of the users of workers in other tests: what runs as one is ended with its worker. */
  private static final int ORDINARY_USER = 60_130;

  @BeforeAll
  static void assumeProcessors() throws Exception {
    // On this process's parent: no attack changes anything.
    String parent = Long.toString(ProcessHandle.current().parent().orElseThrow().pid());
    Program.Ended direct = attack(Map.of(), Stream.of(parent));
    assumeTrue(direct.status() == 0, "this machine has no OpenCL device: " + direct.errors());
    isAnAttack(direct);
    isAnAttack(attack(Map.of(), Stream.concat(BINARY.stream(), Stream.of(parent))));
  }

  /** What nothing confines gets through. */
  private static void isAnAttack(Program.Ended direct) {
    assertTrue(result(direct, 3) >= 40, direct::toString);
  }

  private static Program.Ended attack(Map<String, String> variables, Stream<String> arguments)
      throws Exception {
    return Program.run(
        Stream.concat(Stream.of(ATTACKER.toString()), arguments).toList(), variables);
  }

  private static int result(Program.Ended ended, int group) {
    Matcher matcher = RESULT.matcher(ended.output());
    assertTrue(matcher.find(), ended::toString);
    return Integer.parseInt(matcher.group(group));
  }

  @Test
  void nothingIsInReachOfAKernel() throws Exception {
    attack(new Backend("auto"), "attackerOne");
  }

  @Test
  void nothingIsInReachWhereTheDaemonIsAnOrdinaryUser() throws Exception {
    assumeTrue(Processes.getuid() == 0, "needs root, to become an ordinary user");
    assumeTrue(canRead(), "other users cannot read this folder");
    attack(new Backend(ConfinedWorkerTest::asOrdinaryUser, "auto"), "attackerTwo");
  }

  private static List<String> ofOrdinaryUser(List<String> command) {
    List<String> words =
        List.of(
            "setpriv", "--reuid=" + ORDINARY_USER, "--regid=" + ORDINARY_USER, "--clear-groups");
    return Stream.concat(words.stream(), command.stream()).toList();
  }

  private static boolean canRead() throws Exception {
    return Program.run(
                ofOrdinaryUser(List.of("head", "-c", "1", Home.COMMAND.toString())), Map.of())
            .status()
        == 0;
  }

  private static List<String> asOrdinaryUser(Path temporary) throws IOException {
    Files.setAttribute(temporary, "unix:uid", ORDINARY_USER);
    return ofOrdinaryUser(Backend.fromSources(temporary));
  }

  private static void attack(Backend backend, String child) throws Exception {
    backend.beforeAll(null);
    try {
      assumeConfinement(backend);
      Form lease = new Leases(backend).request(new Form().with("share", 100));
      Map<String, String> variables =
          new HashMap<>(new Leases(backend).variables("unix:" + backend.socket(), lease));
      variables.put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
      attack(backend, variables, child, List.of());
      attack(backend, variables, child + "Lib", BINARY);
      endsWithItsDaemon(backend);
    } finally {
      backend.afterAll(null);
    }
  }

  /** In this way of {@code attacker}'s. */
  private static void attack(
      Backend backend, Map<String, String> variables, String child, List<String> way)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--child", child));
    arguments.addAll(way);
    arguments.add(Long.toString(backend.daemon().pid()));
    arguments.addAll(files(backend));
    Program.Ended ended = attack(variables, arguments.stream());
    assertEquals(0, ended.status(), ended::toString);
    assertEquals(0, result(ended, 3), ended::toString);
    assertTrue(result(ended, 1) >= 70 && result(ended, 2) >= 40, ended::toString);
    assertTrue(ended.output().contains("left behind: " + child + "\n"), ended::toString);
    Patience.until("the process that the attack left has ended", () -> !runs(child));
  }

  /** Some kernels and containers permit no namespaces; then nothing is offered to be attacked. */
  private static void assumeConfinement(Backend backend) throws Exception {
    List<String> command = new ArrayList<>(Backend.fromSources(backend.folder()));
    command.addAll(List.of("doctor", "--host"));
    boolean ordinary = (int) Files.getAttribute(backend.folder(), "unix:uid") == ORDINARY_USER;
    Program.Ended doctor = Program.run(ordinary ? ofOrdinaryUser(command) : command, Map.of());
    assumeTrue(
        doctor.output().contains("offered to everybody"),
        "workers cannot be confined here: " + doctor.output());
  }

  /** Some that only the operator reads, and some that everybody does. */
  private static List<String> files(Backend backend) {
    return Stream.of(
            backend.tokenFile(),
            backend.socket(),
            backend.folder(),
            backend.folder().resolve(".local/state/outboard"),
            Home.PATH.resolve("README.md"),
            Home.PATH.resolve("pom.xml"),
            ATTACKER)
        .map(Path::toString)
        .toList();
  }

  private static boolean isHidden(ProcessHandle process) {
    try {
      Path memory = Path.of("/proc", Long.toString(process.pid()), "mem");
      return (int) Files.getAttribute(memory, "unix:uid") == 0;
    } catch (IOException ended) {
      return true;
    }
  }

  private static boolean runs(String name) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes.anyMatch(process -> name.equals(command(process)));
    }
  }

  private static String command(Path process) {
    try {
      return Files.readString(process.resolve("comm")).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /** A spare worker is confined too, and in a namespace that nobody else knows the end of. */
  private static void endsWithItsDaemon(Backend backend) throws Exception {
    List<ProcessHandle> workers = backend.workers();
    assertTrue(!workers.isEmpty());
    // The kernel makes files about a process root's where nobody else may look at it.
    Patience.until(
        "daemon, starters and workers are hidden",
        () ->
            Stream.concat(Stream.of(backend.daemon()), workers.stream())
                .allMatch(ConfinedWorkerTest::isHidden));
    assertTrue(backend.daemon().destroyForcibly());
    Patience.until(
        "all workers have ended", () -> workers.stream().noneMatch(ProcessHandle::isAlive));
  }
}
