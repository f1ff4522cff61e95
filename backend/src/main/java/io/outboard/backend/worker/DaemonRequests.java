// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.library.HostConnections;
import io.outboard.backend.library.JoinedHost;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;

/** Connections to other hosts by way of the daemon, and of the next one once that has gone. */
final class DaemonRequests implements HostConnections {
  // Guarded by this object's monitor.
  private int channel;

  /** {@code channel} is the connection to the first daemon, or −1; taken over. */
  DaemonRequests(int channel) {
    this.channel = channel;
  }

  /** Takes over the connection to the present daemon. */
  synchronized void over(int next) {
    if (channel >= 0) {
      Posix.close(channel);
    }
    channel = next;
  }

  @Override
  public int connect(JoinedHost host, int milliseconds) throws IOException {
    int socket = ask(host, milliseconds);
    try {
      return HostRequest.await(socket, host, milliseconds);
    } finally {
      Posix.close(socket);
    }
  }

  private synchronized int ask(JoinedHost host, int milliseconds) throws IOException {
    return HostRequest.ask(channel, host, milliseconds);
  }
}
