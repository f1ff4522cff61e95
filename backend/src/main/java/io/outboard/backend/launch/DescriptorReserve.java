// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.util.Arrays;

/**
 * Descriptors that are kept for the start of a process. Java 25 closes some descriptors twice if
 * they run out while it starts a process ({@code ProcessImpl.forkAndExec}): the second close hits
 * whatever has the number by then, which may be another session's memory. For one thread.
 */
final class DescriptorReserve {
  /** Five pipes, and the files that standard input and output are redirected to. */
  private static final int COUNT = 12;

  private static final int ERROR_OUTPUT = 2;

  private final int[] kept = new int[COUNT];

  DescriptorReserve() {
    Arrays.fill(kept, -1);
  }

  /** Something that needs descriptors. */
  interface Start {
    Process start() throws IOException;
  }

  /**
   * Starts a process with the reserve, which is filled again afterwards as far as possible.
   *
   * @throws IOException if there are too few descriptors; no process has been started then
   */
  Process use(Start start) throws IOException {
    fill();
    try {
      Errno.check(Arrays.stream(kept).min().orElseThrow(), "descriptors for a process");
      release();
      return start.start();
    } finally {
      fill();
    }
  }

  private void fill() {
    for (int i = 0; i < COUNT; i++) {
      if (kept[i] < 0) {
        kept[i] = Posix.fcntl(ERROR_OUTPUT, Posix.F_DUPFD_CLOEXEC, 0);
      }
    }
  }

  void release() {
    for (int i = 0; i < COUNT; i++) {
      if (kept[i] >= 0) {
        Posix.close(kept[i]);
      }
      kept[i] = -1;
    }
  }
}
