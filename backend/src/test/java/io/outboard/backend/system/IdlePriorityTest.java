// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.backend.Backend;
import io.outboard.backend.RawClient;
import io.outboard.backend.daemon.Daemon;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdlePriorityTest {
  private static final Set<Integer> USUAL = Set.of(Processes.SCHED_OTHER);

  @TempDir private Path folder;

  @Test
  void aSpareWorkerRunsInItUntilItHasAClient() throws Exception {
    try (Backend backend = new Backend(folder, Daemon.builder().spareWorkers(1))) {
      ProcessHandle serving = Backend.workers().getFirst();
      try (RawClient _ = backend.client()) {
        ProcessHandle spare = other(serving);
        await(IdlePriority.isPermitted() ? Set.of(Processes.SCHED_IDLE) : USUAL, spare);
        await(USUAL, serving);
        try (RawClient _ = backend.client()) {
          await(USUAL, spare);
        }
      }
    }
  }

  /** The daemon starts a worker, and hands a client over, before it changes the priority. */
  private static void await(Set<Integer> expected, ProcessHandle process)
      throws InterruptedException {
    while (!policies(process).equals(expected)) {
      Thread.sleep(10);
    }
  }

  /** It comes once processors are idle. */
  private static ProcessHandle other(ProcessHandle serving) throws InterruptedException {
    Optional<ProcessHandle> other = Optional.empty();
    while (other.isEmpty()) {
      Thread.sleep(10);
      other = Backend.workers().stream().filter(worker -> !worker.equals(serving)).findFirst();
    }
    return other.get();
  }

  private static Set<Integer> policies(ProcessHandle process) {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    try (Stream<Path> all = Files.list(threads)) {
      return all.map(one -> Integer.parseInt(one.getFileName().toString()))
          .map(Processes::scheduler)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
