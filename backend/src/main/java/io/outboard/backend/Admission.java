// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.ControlStream;
import io.outboard.communicator.RefusedException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.Token;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides who is served, and with what. A backend without one serves everybody with everything.
 * Called from many threads.
 */
public interface Admission extends DeviceListener, AutoCloseable {
  /** Serves everybody with everything. */
  Admission OF_EVERYBODY = new Admission() {};

  /** The token of a name, where this is one that a client may prove instead of the backend's. */
  default Optional<Token> key(Bytes name) {
    return Optional.empty();
  }

  /**
   * Admits a client.
   *
   * @param key the name of the token that it says it has, where that is not the backend's; it has
   *     proven it if {@link #key} knows the name
   * @param member the user's name, where it is let in as a member of the socket's group
   * @throws RefusedException if it is not to be served; the message says why
   */
  default Admitted admit(Hello client, Optional<Bytes> key, Optional<String> member)
      throws RefusedException {
    return Admitted.WITHOUT_LIMIT;
  }

  /**
   * Answers a request of somebody who may control the backend, or of a member of the socket's
   * group, who may do less: any rows, then a last message.
   *
   * @param member that one's name
   * @throws IOException if the client goes
   */
  default void answer(String request, Optional<String> member, ControlStream to)
      throws IOException {
    to.send(Control.Kind.FAILED, "this backend has no leases");
  }

  /** The backend ends. */
  @Override
  default void close() {}
}
