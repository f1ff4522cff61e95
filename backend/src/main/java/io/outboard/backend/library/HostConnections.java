// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import java.io.IOException;

/** Makes connections to other hosts, for a session that has lost one. */
@FunctionalInterface
public interface HostConnections {
  /**
   * A connection over which the session with another host can go on; the caller closes it.
   *
   * @param milliseconds how long connecting may take
   * @throws IOException if that is not possible now; a {@code RefusedException} has the answer of
   *     that host
   */
  int connect(JoinedHost host, int milliseconds) throws IOException;
}
