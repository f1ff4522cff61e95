// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.library.JoinedHost;
import io.outboard.communicator.posix.Posix;
import java.util.List;

/**
 * The other hosts whose devices a session has too.
 *
 * @param requests the worker's end of the connection over which it asks for more connections to
 *     them ({@link HostRequest}); −1 where there are none
 */
public record OtherHosts(List<JoinedHost> hosts, int requests) implements AutoCloseable {
  /** That of most sessions. */
  public static final OtherHosts NONE = new OtherHosts(List.of(), -1);

  /** Closes their descriptors, which a worker has got. */
  @Override
  public void close() {
    hosts.forEach(host -> Posix.close(host.socket()));
    if (requests >= 0) {
      Posix.close(requests);
    }
  }
}
