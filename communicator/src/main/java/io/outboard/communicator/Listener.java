// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalInt;

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

  /** Whether the operating system vouches that a connection's peer is this user, or root. */
  boolean vouched(int descriptor);

  /**
   * The user at the other end of a connection, where the operating system vouches that this is
   * neither this user nor root, and a member of the group that may connect.
   */
  default OptionalInt member(int descriptor) {
    return OptionalInt.empty();
  }

  /** Ends the waiting in {@link #accept} too. */
  @Override
  void close();
}
