// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import java.io.Closeable;
import java.io.IOException;

/** Waits for clients at an endpoint. */
public interface Listener extends Closeable {
  /** What {@link #accept} returns when the listener is closed. */
  int CLOSED = -1;

  /** Where clients connect to; with the port that was found where none was asked for. */
  Endpoint endpoint();

  /**
   * Waits for a client; one thread at a time.
   *
   * @return the connection's descriptor, which the caller closes, or {@link #CLOSED}
   * @throws IOException if the system has no more descriptors, say; a later call may succeed
   */
  int accept() throws IOException;

  /** Where a connection comes from that this listener has accepted, and that is open. */
  Origin origin(int descriptor);

  /** Whether the operating system vouches for a connection's peer. */
  default boolean vouched(int descriptor) {
    return origin(descriptor).isVouched();
  }

  /** Ends the waiting in {@link #accept} too. */
  @Override
  void close();
}
