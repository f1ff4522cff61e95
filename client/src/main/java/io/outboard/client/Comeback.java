// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Answer;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Resumption;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.Optional;

/**
 * How a client comes back to its session over another connection (PROTOCOL.md, Resumption).
 *
 * @param graceSeconds for so long the backend waits for it
 */
record Comeback(Reconnection reconnection, int graceSeconds) {
  /** To the session of that Welcome, if it waits for its client. */
  static Optional<Comeback> to(Welcome welcome, Reconnection reconnection) {
    return welcome.graceSeconds() > 0
        ? Optional.of(new Comeback(reconnection, welcome.graceSeconds()))
        : Optional.empty();
  }

  /** A connection, with what the backend says of it. */
  record Made(int socket, Resumption theirs) {}

  /**
   * Makes a connection.
   *
   * @param ours what this side says
   * @param milliseconds how long connecting may take
   * @throws RefusedException if the backend turns this client away; with the code {@link
   *     Refusal#SESSION} it would so each time
   * @throws IOException if that is not possible now
   */
  Made make(Resumption ours, int milliseconds) throws IOException {
    return OpenSocket.hold(
        reconnection.connect(milliseconds),
        "",
        socket -> new Made(socket, agree(socket, ours, milliseconds * Reconnection.GREETINGS)));
  }

  private static Resumption agree(int socket, Resumption ours, int milliseconds)
      throws IOException {
    MessageStream messages = new MessageStream(socket, milliseconds);
    messages.send(ours.encode());
    byte[] answer = messages.receive();
    Optional<Resumption> theirs = Resumption.answered(answer);
    if (theirs.isEmpty() && Answer.decode(answer) instanceof Refusal refusal) {
      throw new RefusedException(refusal);
    }
    return theirs.orElseThrow(() -> new ProtocolException("no answer to a resumption"));
  }
}
