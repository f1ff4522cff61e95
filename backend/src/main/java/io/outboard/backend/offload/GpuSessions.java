// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Hello;
import java.io.IOException;

/** Begins sessions with GPUs, as a client's greeting does. */
@FunctionalInterface
public interface GpuSessions {
  /**
   * Gives a connection to a worker of its own, or tells it why not; it stays its caller's to close.
   *
   * @param who on whose account it is
   * @throws IOException if it goes
   */
  void begin(int client, Hello hello, Peer.Principal who) throws IOException;
}
