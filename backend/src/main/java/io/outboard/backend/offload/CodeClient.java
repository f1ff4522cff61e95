// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.system.Pause;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The daemon's look at a client whose code a worker runs. The worker is not trusted to end with its
 * client, nor with the client's lease: the daemon ends it.
 */
final class CodeClient {
  private static final int LOOK_MS = 1_000;
  private static final int GRACE_MS = 2_000;
  private static final short GONE = Posix.POLLRDHUP | Posix.POLLHUP;

  private final int connection;
  private final WorkerProcess worker;
  private final BooleanSupplier mayStay;
  private boolean ended;

  private CodeClient(int connection, WorkerProcess worker, BooleanSupplier mayStay) {
    this.connection = connection;
    this.worker = worker;
    this.mayStay = mayStay;
  }

  /**
   * Looks after a worker until it has ended.
   *
   * @param client stays its caller's
   * @param mayStay asked each second: whether the client's rights are as they were
   */
  static void follow(int client, WorkerProcess worker, BooleanSupplier mayStay) throws IOException {
    int own = Posix.fcntl(client, Posix.F_DUPFD_CLOEXEC, 0);
    Errno.check(own, "no descriptor is left");
    CodeClient one = new CodeClient(own, worker, mayStay);
    Thread.ofPlatform().name("code-client").daemon(true).start(one::look);
    worker.onExit(_ -> one.end());
  }

  private void look() {
    try {
      while (!hasEnded() && mayStay.getAsBoolean()) {
        if (Posix.poll(connection, GONE, LOOK_MS) != 0) {
          // A worker that behaves ends by itself.
          Pause.ms(GRACE_MS);
          break;
        }
      }
    } finally {
      worker.stop();
      end();
      Posix.close(connection);
    }
  }

  private synchronized boolean hasEnded() {
    return ended;
  }

  /** The connection would stay open as long as the descriptor here is. */
  private synchronized void end() {
    if (!ended) {
      ended = true;
      Sockets.shutdown(connection, Sockets.SHUT_RDWR);
    }
  }
}
