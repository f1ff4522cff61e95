// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions that are open, by their identities, for further connections of their clients. */
final class OpenSessions {
  private final Map<Bytes, Opened> sessions = new ConcurrentHashMap<>();

  /**
   * A session.
   *
   * @param worker serves it
   * @param opener who has opened it
   * @param proven the token that the opener has proven, if it had to
   * @param returning what a client proves that has lost its connection; none where the session ends
   *     with that
   */
  public record Opened(
      WorkerProcess worker,
      Peer.Principal opener,
      Optional<Token> proven,
      Optional<Token> returning) {}

  void add(Bytes identity, Opened session) {
    sessions.put(identity, session);
  }

  void remove(Bytes identity) {
    sessions.remove(identity);
  }

  Optional<Opened> find(Bytes identity) {
    return Optional.ofNullable(sessions.get(identity));
  }
}
