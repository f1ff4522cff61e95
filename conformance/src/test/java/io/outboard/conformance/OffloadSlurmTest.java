// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are tasks of a real Slurm. */
@Lengthy
final class OffloadSlurmTest {
  private static final Path QUEENS = Home.PATH.resolve("examples/offload/src/main/java/queens");

  @TempDir private Path home;
  private SlurmCluster cluster;
  private Launcher outboard;
  private OffloadedJar jar;

  @BeforeEach
  void begin() throws Exception {
    assumeTrue(SlurmCluster.isHere(), "Slurm is not installed");
    cluster = SlurmCluster.start();
    outboard = new Launcher(home);
    cluster.variables().forEach(outboard::set);
    jar = OffloadedJar.of(QUEENS, Files.createDirectory(home.resolve("made")));
    Files.writeString(
        home.resolve("offload.conf"), "jars jars\nmemory 256\noperator " + jar.digest());
  }

  @AfterEach
  void end() throws Exception {
    if (cluster != null) {
      cluster.end();
    }
  }

  private Program.Ended run(String settings, int rows) throws Exception {
    return outboard.shell(
        "outboard offload workers --slurm 2 --settings %s -- %s -cp %s:%s queens.Pooled %4$s %d"
            .formatted(
                home.resolve(settings),
                Home.java(),
                OffloadedJar.path(OffloadedJar.CLIENT),
                jar.file(),
                rows));
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve(".local/state/outboard/offload"))) {
      return files.toList();
    }
  }

  private String tasks() throws Exception {
    return cluster.says("squeue", "--noheader", "--array", "--states=R", "--format=%A %i");
  }

  @Test
  void aCallIsSharedByTasksAndOneOfThemIsCancelled() throws Exception {
    FutureTask<Program.Ended> counting = new FutureTask<>(() -> run("offload.conf", 15));
    Thread.ofPlatform().start(counting);
    Patience.until(
        () -> "the program counts" + cluster.logs(),
        () -> ProcessHandle.allProcesses().anyMatch(this::isProgram));
    String last = tasks().lines().toList().getLast();
    cluster.says("scancel", last.split(" ", -1)[1]);
    Program.Ended ended = counting.get();
    assertEquals("15 queens: 2279184 ways, by 2 workers\n", ended.output(), ended::toString);
    // The command's own end comes behind that of the program.
    Patience.until("no task is left", () -> tasks().isBlank() && left().isEmpty());
  }

  private boolean isProgram(ProcessHandle process) {
    String line = process.info().commandLine().orElse("");
    return line.startsWith(Home.java() + " -cp ") && line.contains(jar.file() + " queens.Pooled");
  }

  @Test
  void aTaskThatCannotServeIsToldOf() throws Exception {
    Files.writeString(home.resolve("wrong.conf"), "jars jars\nanything 1");
    Program.Ended ended = run("wrong.conf", 4);
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("'anything' is no setting"), ended::toString);
    assertEquals(List.of(), left());
  }
}
