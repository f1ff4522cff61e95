// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.posix.Errno;
import java.io.IOException;

/** What came of connecting and listening, with what helps. */
final class Connected {
  private Connected() {}

  /** The connection that was made, or why there is none. */
  static int check(int result, Endpoint endpoint) throws IOException {
    return Errno.check(result, "cannot connect to " + endpoint, remedy(result));
  }

  private static String remedy(int result) {
    return switch (-result) {
      case Errno.ENOENT, Errno.ECONNREFUSED -> "; is 'outboard serve' running there?";
      case Errno.EACCES -> "; it is for the user of 'outboard serve' alone";
      default -> "";
    };
  }

  /** Whether it listens. */
  static void checkListening(int result, Endpoint endpoint) throws IOException {
    if (result == -Errno.EADDRINUSE) {
      throw new IOException(taken(endpoint));
    }
    Errno.check(result, "cannot listen at " + endpoint);
  }

  static String taken(Endpoint endpoint) {
    return "somebody listens at " + endpoint + " already; --listen names another place";
  }
}
