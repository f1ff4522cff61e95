// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.communicator.posix.Processes;

/** How a worker process ends. */
final class WorkerEnd {
  private static volatile boolean suspended;
  private static volatile Runnable last = () -> {};

  private WorkerEnd() {}

  /** Has something more done when this process ends by itself; it waits for nobody. */
  static synchronized void before(Runnable what) {
    Runnable others = last;
    last =
        () -> {
          others.run();
          what.run();
        };
  }

  /** Says whether what its session has on devices is put aside, or about to be. */
  static void suspended(boolean is) {
    suspended = is;
  }

  /**
   * Ends this process at once. A driver that is locked would wait for ever in what it does at the
   * end of a process, so that a suspended worker ends as if it were killed.
   */
  static void now(int status) {
    last.run();
    if (suspended) {
      Processes.kill(Processes.getpid(), Processes.SIGKILL);
    }
    Runtime.getRuntime().halt(status);
  }
}
