// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.supervision.Admission;
import io.outboard.backend.system.Log;
import io.outboard.communicator.Origin;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.wire.Control;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Serves control connections, so many of each peer. A connection that has asked for nothing for
 * {@link ControlStream#TIMEOUT_MS} ends. A peer that opens more than it may have loses the one that
 * has been idle for longest. Operators have places that nobody else can take.
 */
final class Controls implements AutoCloseable {
  private static final int OF_ONE_OPERATOR = 32;
  private static final int OF_OPERATORS = 64;
  private static final int OF_ONE_MEMBER = 16;
  private static final int OF_MEMBERS = 128;

  private final Admission admission;
  private final Places operators = new Places(OF_ONE_OPERATOR, OF_OPERATORS);
  private final Places members = new Places(OF_ONE_MEMBER, OF_MEMBERS);

  Controls(Admission admission) {
    this.admission = admission;
  }

  /**
   * A place for a connection.
   *
   * @throws RefusedException if all that the peer may have are at work
   */
  Places.Place enter(Peer.Controller who, Origin origin, int client) throws RefusedException {
    return places(who).take(origin, client).orElseThrow(() -> new RefusedException(full(who)));
  }

  private Places places(Peer.Controller who) {
    return switch (who) {
      case Peer.Operator _ -> operators;
      case Peer.Member _ -> members;
    };
  }

  private static Refusal full(Peer.Controller who) {
    String limit =
        switch (who) {
          case Peer.Operator _ ->
              "%d control connections of one operator, or %d of all operators,"
                  .formatted(OF_ONE_OPERATOR, OF_OPERATORS);
          case Peer.Member member ->
              "%d control connections of user %s, or %d of all members of the socket's group,"
                  .formatted(OF_ONE_MEMBER, member.name(), OF_MEMBERS);
        };
    return new Refusal(Refusal.LIMIT, limit + " are at work: try again when one has its answer");
  }

  /** Answers requests until the peer goes, says nothing for too long, or makes room. */
  void serve(int client, Peer.Controller who, Places.Place place) throws IOException {
    ControlStream stream = new ControlStream(client);
    try {
      while (true) {
        Control request = stream.receive();
        place.working();
        admission.answer(request.text(), who, stream);
        place.waiting();
      }
    } catch (EOFException | InterruptedIOException e) {
      Log.debug("a control connection has ended");
    } catch (ProtocolException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    operators.close();
    members.close();
  }
}
