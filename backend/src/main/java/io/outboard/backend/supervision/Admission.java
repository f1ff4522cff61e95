// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.health.DeviceListener;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides who is served, and with what. A backend without one serves everybody with everything.
 * Called from many threads.
 */
public interface Admission extends DeviceListener, AutoCloseable {
  /** Serves everybody with everything. */
  Admission OF_EVERYBODY = new Admission() {};

  /**
   * Returns the peer that proves the token of a name; empty where there is no such token.
   *
   * @throws RefusedException if that cannot be known now
   */
  default Optional<Claim> claim(Bytes name) throws RefusedException {
    return Optional.empty();
  }

  /**
   * Whether there are tokens beside the backend's own: then a name that is not known is refused
   * even where the kernel vouches for the peer.
   *
   * @throws RefusedException if that cannot be known now
   */
  default boolean namesTokens() throws RefusedException {
    return false;
  }

  /**
   * Returns the reason not to serve a client, as far as that can be told without a session.
   *
   * @param who as of {@link #admit}
   */
  default Optional<Refusal> obstacle(Peer.Principal who) {
    return Optional.empty();
  }

  /**
   * Admits a client.
   *
   * @param client what it said
   * @param who who it is
   * @throws RefusedException if it is not to be served; the message says why
   */
  default Admitted admit(Hello client, Peer.Principal who) throws RefusedException {
    return Admitted.WITHOUT_LIMIT;
  }

  /** Takes over a session of the daemon before, which is served; before any other is admitted. */
  default Admitted takeOver(Survivor session) {
    return Admitted.WITHOUT_LIMIT;
  }

  /** The backend ends, and its sessions go on: the facts about them stay. */
  default void leave() {
    close();
  }

  /**
   * Answers a request: any rows, then a last message.
   *
   * @param who asks; a member may do less than an operator
   * @throws IOException if the client goes
   */
  default void answer(String request, Peer.Controller who, ControlStream to) throws IOException {
    to.send(Control.Kind.FAILED, "this backend has no leases");
  }

  /** The backend ends. */
  @Override
  default void close() {}
}
