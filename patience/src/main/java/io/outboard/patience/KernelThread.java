// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A thread as Linux sees it, also in a system call, where Java takes it for one that runs
 * (proc_pid_status(5)).
 */
public final class KernelThread {
  private final Path status;

  private KernelThread(Path task) {
    status = task.resolve("status");
  }

  /** The calling one. */
  public static KernelThread current() throws IOException {
    return new KernelThread(Path.of("/proc/thread-self").toRealPath());
  }

  /** The first thread of a virtual machine, which runs {@code main}. */
  public static KernelThread main(Process process) throws IOException {
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    try (var all = Files.list(tasks)) {
      return all.map(Path::getFileName)
          .map(Path::toString)
          .map(Long::valueOf)
          .sorted()
          .skip(1)
          .findFirst()
          .map(task -> new KernelThread(tasks.resolve(task.toString())))
          .orElseThrow(() -> new IOException(process + " has one thread"));
    }
  }

  /** Returns once it has slept from one look to the next, so that it waits for something. */
  public void untilSleeps() throws IOException, InterruptedException {
    List<String> before = List.of();
    List<String> now = look();
    for (int looks = 0; !now.equals(before) || !isAsleep(now); looks++) {
      if (looks > Patience.milliseconds()) {
        throw new AssertionError("it does not sleep: " + now);
      }
      Thread.sleep(20);
      before = now;
      now = look();
    }
  }

  /** Whether it sleeps, and how often it has gone to sleep. */
  private List<String> look() throws IOException {
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("State:") || line.startsWith("voluntary_ctxt_switches:"))
        .toList();
  }

  private static boolean isAsleep(List<String> look) {
    return look.getFirst().contains("S (sleeping)");
  }
}
