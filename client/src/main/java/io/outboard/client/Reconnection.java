// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.Optional;

/** Makes connections over which a session can go on. */
@FunctionalInterface
public interface Reconnection {
  /** In the time that a greeting may take one could connect so often. */
  int GREETINGS = 10;

  /**
   * Makes a connection over which the backend has said its Welcome to a returning client; the
   * caller closes it.
   *
   * @param milliseconds how long connecting may take; the greeting, {@link #GREETINGS} times as
   *     long
   * @throws RefusedException if the backend turns this client away; with the code {@link
   *     Refusal#SESSION} it would so each time
   * @throws IOException if that is not possible now
   */
  int connect(int milliseconds) throws IOException;

  /** To the session of that Welcome, for which this token was proven. */
  static Reconnection to(Endpoint endpoint, Welcome welcome, Optional<Token> token) {
    Token proven = welcome.proof().isZero() ? Token.none() : token.orElseGet(Token::none);
    Token key = proven.derived("resume " + welcome.secret().hex());
    return milliseconds ->
        OpenSocket.hold(
            Communicator.of(endpoint).connect(endpoint, milliseconds),
            "",
            socket -> {
              GreetingClient.greet(
                  socket,
                  Introduction.returningHello(welcome.session()),
                  false,
                  Optional.of(key),
                  milliseconds * GREETINGS);
              return socket;
            });
  }
}
