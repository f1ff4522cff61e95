// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.communicator.posix.Processes;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  /** Its workers wait for a debugger, and so never get as far as to connect. */
  private static final String HALTED =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";

  private static final Duration SPARE_TIME = Duration.ofMillis(50);

  private final Set<ProcessHandle> before = children().collect(Collectors.toSet());

  /** As on a machine that is always busy, where nothing ever runs at idle priority. */
  @Test
  void aSpareWorkerThatFindsNoSpareTimeStartsAllTheSame() throws Exception {
    Thread client;
    try (WorkerPool pool = new WorkerPool(launcher(), 1, SPARE_TIME)) {
      client =
          Thread.ofVirtual()
              .start(() -> assertThrows(IOException.class, () -> pool.take(WorkerKind.PLAIN)));
      Patience.until("a spare worker", () -> workers().count() == 2);
      awaitItsPriority(pool);
      Patience.until("the usual priority", () -> workers().allMatch(WorkerPoolTest::isUsual));
    }
    Patience.join(client);
  }

  /** The pool gives it one before it lets anybody in. */
  private static void awaitItsPriority(WorkerPool pool) {
    synchronized (pool) {
      pool.notifyAll();
    }
  }

  private static WorkerLauncher launcher() {
    return new WorkerLauncher(
        "software",
        Map.of(WorkerKind.PLAIN, List.of(HALTED)),
        Optional.empty(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        WorkerFilter.OFF,
        CrashFiles.none(),
        () -> Confinement.none("nobody brings code"));
  }

  private static Stream<ProcessHandle> children() {
    return ProcessHandle.current().children();
  }

  private Stream<ProcessHandle> workers() {
    return children().filter(one -> !before.contains(one));
  }

  private static boolean isUsual(ProcessHandle process) {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    try (Stream<Path> all = Files.list(threads)) {
      return all.mapToInt(one -> Integer.parseInt(one.getFileName().toString()))
          .allMatch(one -> Processes.scheduler(one) == Processes.SCHED_OTHER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
