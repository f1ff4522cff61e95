// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Hello;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Asks a backend whether it would serve a program: the daemon answers, and no worker starts. */
public final class Question {
  private Question() {}

  /**
   * Asks; returns if it would.
   *
   * @param environment where the token is looked for
   * @throws IOException if it would not, or does not answer within seconds; the message says why
   * @throws IllegalArgumentException if the endpoint is not one that can be connected to
   */
  public static void ask(Endpoint endpoint, Map<String, String> environment) throws IOException {
    Communicator communicator = Communicator.of(endpoint);
    int asking = GreetingClient.QUESTION_MS;
    OpenSocket.hold(
        communicator.connect(endpoint),
        endpoint + ": ",
        socket -> {
          Hello hello = Introduction.hello(List.of(), Map.of()).toAsk();
          var unused =
              Introduction.greet(socket, hello, communicator.capabilities(), environment, asking);
          Posix.close(socket);
          return endpoint;
        });
  }
}
