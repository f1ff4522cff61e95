// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.CallFilters;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Posix;
import java.util.HashSet;
import java.util.Set;

/**
 * Logs, in the daemon, each call that {@code WorkerFilter.ON} would refuse to a worker, once by its
 * number, and lets it through. The worker's own threads could not: one that holds its virtual
 * machine up while it waits for the answer would hold up who gives it.
 */
final class FilterLog {
  private final long worker;
  private final int listener;
  private final Set<Integer> told = new HashSet<>();

  private FilterLog(long worker, int listener) {
    this.worker = worker;
    this.listener = listener;
  }

  /**
   * Logs until the worker and all that it started have ended.
   *
   * @param connection over which the worker sends where its calls are asked about; it may be closed
   *     by somebody else
   */
  static void start(long worker, int connection) {
    int own = Posix.fcntl(connection, Posix.F_DUPFD_CLOEXEC, 0);
    Thread.ofPlatform().name("filter-log " + worker).daemon(true).start(() -> receive(worker, own));
  }

  private static void receive(long worker, int connection) {
    int[] descriptors = new int[1];
    try (NativeBuffer buffer = new NativeBuffer(1)) {
      Descriptors.receive(connection, descriptors, buffer.address(), 1);
    }
    Posix.close(connection);
    if (descriptors[0] >= 0) {
      new FilterLog(worker, descriptors[0]).run();
      Posix.close(descriptors[0]);
    }
  }

  private void run() {
    while ((Posix.poll(listener, Posix.POLLIN, -1) & Posix.POLLIN) != 0) {
      CallFilters.Question call = CallFilters.letThrough(listener);
      if (call != null && told.add(call.number())) {
        Log.info(
            "worker %d: the filter would refuse call %d, with %d first; it is made"
                .formatted(worker, call.number(), call.argument()));
      }
    }
  }
}
