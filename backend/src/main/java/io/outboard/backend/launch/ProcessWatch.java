// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.system.Pause;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;

/** Waits for the end of a process that need not be a child. */
public final class ProcessWatch {
  private static final long LOOK_MS = 500;

  private final int process;
  private final Runnable ended;

  public ProcessWatch(int process, Runnable ended) {
    this.process = process;
    this.ended = ended;
  }

  public void start() {
    // Opened here, not in the thread: the process is alive now, and its number its own.
    int descriptor = Processes.pidfdOpen(process);
    Thread.ofPlatform()
        .name("watch " + process)
        .daemon(true)
        .start(
            () -> {
              await(descriptor);
              ended.run();
            });
  }

  private void await(int descriptor) {
    if (descriptor >= 0) {
      int ready;
      do {
        ready = Posix.poll(descriptor, Posix.POLLIN, -1);
      } while (ready == -Errno.EINTR);
      Posix.close(descriptor);
      return;
    }
    // A kernel before 5.3.
    while (Processes.kill(process, 0) != -Errno.ESRCH) {
      Pause.ms(LOOK_MS);
    }
  }
}
