// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Answer;
import io.outboard.wire.Bytes;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Resumption;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.Optional;

/**
 * How a client comes back to its session over another connection (PROTOCOL.md, Resumption).
 *
 * @param key what only the client that opened the session can prove to have
 * @param graceSeconds for so long the backend waits for it
 */
record Comeback(Endpoint endpoint, Bytes session, Token key, int graceSeconds) {
  /** In the time that a greeting may take one could connect so often. */
  private static final int GREETINGS = 10;

  /** To the session of that Welcome, for which this token was proven. */
  static Comeback to(Endpoint endpoint, Welcome welcome, Optional<Token> token) {
    Token proven = welcome.proof().isZero() ? Token.none() : token.orElseGet(Token::none);
    Token key = proven.derived("resume " + welcome.secret().hex());
    return new Comeback(endpoint, welcome.session(), key, welcome.graceSeconds());
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
    int socket = Communicator.of(endpoint).connect(endpoint, milliseconds);
    try {
      return new Made(socket, agree(socket, ours, milliseconds * GREETINGS));
    } catch (ProtocolException e) {
      Posix.close(socket);
      throw new IOException(e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      Posix.close(socket);
      throw e;
    }
  }

  private Resumption agree(int socket, Resumption ours, int milliseconds) throws IOException {
    GreetingClient.greet(
        socket, Introduction.returningHello(session), false, Optional.of(key), milliseconds);
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
