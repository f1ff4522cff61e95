// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.RawClient;
import io.outboard.backend.StandIn;
import io.outboard.backend.daemon.DaemonMain;
import io.outboard.backend.system.ChildEnvironment;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.socket.UnixCommunicator;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real worker's share of the daemon's things, and the kernel's facts about its threads. */
class WorkerConfinementTest {
  private static final String SECRET = "5ec7e7".repeat(10) + "5ec7";

  @TempDir private Path folder;
  private Process daemon;

  @BeforeEach
  void serve() throws IOException {
    ProcessBuilder builder = new StandIn(folder).process(DaemonMain.class);
    builder.command().add(folder.toString());
    builder.environment().put("OUTBOARD_TOKEN", SECRET);
    builder.environment().put("SOME_CLOUDS_PASSWORD", SECRET);
    builder.environment().put("CUDA_MODULE_LOADING", "EAGER");
    daemon = builder.start();
    assertEquals("ready", daemon.inputReader().readLine());
  }

  @AfterEach
  void end() throws InterruptedException {
    daemon.destroyForcibly().waitFor();
  }

  private RawClient client() throws IOException {
    return Backend.client(new UnixCommunicator().connect(Backend.socket(folder)), "test");
  }

  private Path worker() {
    List<ProcessHandle> workers = daemon.children().toList();
    assertEquals(1, workers.size());
    return Path.of("/proc", Long.toString(workers.getFirst().pid()));
  }

  @Test
  void itsEnvironmentHasNoSecret() throws IOException {
    Assumptions.assumeTrue(Processes.getuid() == 0, "root alone can read it");
    try (RawClient _ = client()) {
      String environment = Files.readString(worker().resolve("environ"));
      assertTrue(environment.contains("CUDA_MODULE_LOADING=EAGER"), environment);
      assertFalse(environment.contains(SECRET), environment);
    }
  }

  @Test
  void eachThreadIsFilteredAndGainsNoPrivileges() throws IOException {
    try (RawClient client = client()) {
      client.call(FakeLibrary.ECHO, Frame.FLAG_ANSWER, 0, 1, 7);
      client.receive();
      Set<String> seen = new TreeSet<>();
      int threads = 0;
      try (Stream<Path> tasks = Files.list(worker().resolve("task"))) {
        for (Path task : tasks.toList()) {
          threads++;
          Files.readAllLines(task.resolve("status")).stream()
              .filter(line -> line.matches("(NoNewPrivs|Seccomp|Seccomp_filters):.*"))
              .map(line -> line.replaceAll("\\s+", " "))
              .forEach(seen::add);
        }
      }
      assertTrue(threads > 5, "threads: " + threads);
      assertEquals(Set.of("NoNewPrivs: 1", "Seccomp: 2", "Seccomp_filters: 2"), seen);
    }
  }

  /** By as much as a daemon with twice its memory. */
  @Test
  void itEndsBeforeItsDaemonWhereMemoryIsShort() throws IOException {
    try (RawClient _ = client()) {
      assertEquals(score(Path.of("/proc", daemon.pid() + "")) + 500, score(worker()));
    }
  }

  private static int score(Path process) throws IOException {
    return Integer.parseInt(Files.readString(process.resolve("oom_score_adj")).strip());
  }

  @Test
  void whatIsGivenIsListed() {
    Map<String, String> daemons =
        Map.of("OUTBOARD_TOKEN", "1", "PATH", "2", "POCL_DEBUG", "3", "MINE", "4", "CUDA", "5");
    assertEquals(
        Map.of("PATH", "2", "POCL_DEBUG", "3", "MINE", "4"),
        ChildEnvironment.of(daemons, List.of("MINE")));
  }
}
