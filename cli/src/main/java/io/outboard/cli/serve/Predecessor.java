// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.socket.UnixCommunicator;
import java.io.IOException;

/** The backend at a Unix socket, in whose place another one comes. */
final class Predecessor {
  /** It has only to write down what it knows. */
  private static final int PATIENCE_MS = 30_000;

  private Predecessor() {}

  /** Has it leave its programs, and waits until it has gone; nothing where none is there. */
  static void leave(Endpoint endpoint) throws IOException, Failure {
    if (!UnixCommunicator.answers(endpoint.path())) {
      return;
    }
    int connection = Communicator.of(endpoint).connect(endpoint);
    int process = Sockets.peerProcess(connection);
    Posix.close(connection);
    int descriptor = Errno.check(Processes.pidfdOpen(process), "the backend cannot be watched");
    try {
      Errno.check(Processes.kill(process, UpgradeSignal.NUMBER), "the backend cannot be told");
      if (Posix.poll(descriptor, Posix.POLLIN, PATIENCE_MS) <= 0) {
        throw new Failure("the backend at " + endpoint + " does not end");
      }
    } finally {
      Posix.close(descriptor);
    }
  }
}
