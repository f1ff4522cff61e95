// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Lets a process run only where processors have nothing else to do, until it is wanted (sched(7),
 * SCHED_IDLE). To end that takes a right that users usually lack (CAP_SYS_NICE), and so nothing
 * begins without it.
 */
public final class IdlePriority {
  /** Of proc_pid_status(5): the effective set, in hexadecimal. */
  private static final String CAPABILITIES = "CapEff:";

  private static final long CAP_SYS_NICE = 1 << 23;

  private IdlePriority() {}

  /** Whether it can be begun, and so ended. */
  static boolean isPermitted() {
    return Permission.GIVEN;
  }

  /** A process that nobody waits for runs in spare time from here on. */
  public static void begin(long process) {
    if (isPermitted()) {
      schedule(process, Processes.SCHED_IDLE);
    }
  }

  /** Somebody waits for it. */
  public static void end(long process) {
    if (isPermitted()) {
      schedule(process, Processes.SCHED_OTHER);
    }
  }

  /** Whether the thread that calls runs in spare time. */
  public static boolean isNow() {
    return Processes.scheduler(0) == Processes.SCHED_IDLE;
  }

  /** Until a look finds no thread to change, as each may have made another meanwhile. */
  private static void schedule(long process, int policy) {
    Path threads = Path.of("/proc", Long.toString(process), "task");
    boolean changed = true;
    while (changed) {
      changed = scheduleThreads(threads, policy);
    }
  }

  private static boolean scheduleThreads(Path threads, int policy) {
    boolean changed = false;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path one : all) {
        changed |= scheduleThread(Integer.parseInt(one.getFileName().toString()), policy);
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return false;
    }
    return changed;
  }

  private static boolean scheduleThread(int thread, int policy) {
    return Processes.scheduler(thread) == other(policy)
        && Processes.setScheduler(thread, policy) == 0;
  }

  private static int other(int policy) {
    return policy == Processes.SCHED_IDLE ? Processes.SCHED_OTHER : Processes.SCHED_IDLE;
  }

  /** Found out when it is first asked for. */
  private static final class Permission {
    private static final boolean GIVEN = ask();

    private static boolean ask() {
      Asking asking = new Asking();
      asking.start();
      try {
        asking.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return asking.permitted;
    }
  }

  /** Tries it on itself: a thread of its own would keep what it cannot end. */
  private static final class Asking extends Thread {
    private volatile boolean permitted;

    private Asking() {
      super("spare-time");
    }

    @Override
    public void run() {
      permitted =
          isCapable()
              && Processes.setScheduler(0, Processes.SCHED_IDLE) == 0
              && Processes.setScheduler(0, Processes.SCHED_OTHER) == 0;
    }

    /** RLIMIT_NICE suffices for this user's processes, and not for workers of other users. */
    private static boolean isCapable() {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
        return lines
            .filter(line -> line.startsWith(CAPABILITIES))
            .mapToLong(
                line -> Long.parseUnsignedLong(line.substring(CAPABILITIES.length()).strip(), 16))
            .anyMatch(all -> (all & CAP_SYS_NICE) != 0);
      } catch (IOException e) {
        return false;
      }
    }
  }
}
