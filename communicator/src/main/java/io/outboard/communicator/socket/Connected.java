// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.TakenException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The outcome of connecting and listening, with advice. */
final class Connected {
  /** How long connecting may take, where nobody says. */
  static final int CONNECT_MS = 10_000;

  private Connected() {}

  /** Connects a socket within seconds; 0, or the negated error number. */
  static int connect(int socket, MemorySegment address) {
    return connect(socket, address, CONNECT_MS);
  }

  /** The same within so many milliseconds. */
  static int connect(int socket, MemorySegment address, int milliseconds) {
    Posix.fcntl(socket, Posix.F_SETFL, Posix.O_NONBLOCK);
    int begun = Sockets.connect(socket, address);
    int result = begun == -Errno.EINPROGRESS ? outcome(socket, milliseconds) : begun;
    Posix.fcntl(socket, Posix.F_SETFL, 0);
    return result;
  }

  private static int outcome(int socket, int milliseconds) {
    int ready = Posix.poll(socket, Posix.POLLOUT, milliseconds);
    if (ready <= 0) {
      return ready == 0 ? -Errno.ETIMEDOUT : ready;
    }
    return -Sockets.option(socket, Sockets.SOL_SOCKET, Sockets.SO_ERROR);
  }

  /** The connection that was made, or why there is none. */
  static int check(int result, Endpoint endpoint) throws IOException {
    return Errno.check(result, "cannot connect to " + endpoint, remedy(result));
  }

  private static String remedy(int result) {
    return switch (-result) {
      case Errno.ENOENT, Errno.ECONNREFUSED, Errno.ECONNRESET ->
          "; is 'outboard serve' running there?";
      case Errno.EACCES -> "; it is for the user of 'outboard serve' alone";
      default -> "";
    };
  }

  /** Whether it listens. */
  static void checkListening(int result, Endpoint endpoint) throws IOException {
    if (result == -Errno.EADDRINUSE) {
      throw new TakenException(endpoint);
    }
    Errno.check(result, "cannot listen at " + endpoint);
  }
}
