// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/** The facts that a program on the JVM tells of itself. */
final class Introduction {
  // The vendor's variables that act on the driver; the worker has the list of those it honours.
  private static final String VENDOR = "CUDA_";

  private Introduction() {}

  static Hello hello(List<ClientLibrary> libraries, Map<String, String> environment) {
    return hello(Bytes.zero(Message.IDENTITY), 0, libraries, environment);
  }

  /** That of a session which could go on over another connection. */
  static Hello lastingHello(List<ClientLibrary> libraries, Map<String, String> environment) {
    return hello(Bytes.zero(Message.IDENTITY), Hello.FLAG_LASTS, libraries, environment);
  }

  /** That of a client which goes on with its session. */
  static Hello returningHello(Bytes session) {
    return hello(session, Hello.FLAG_RETURNS, List.of(), Map.of());
  }

  private static Hello hello(
      Bytes session, int flags, List<ClientLibrary> libraries, Map<String, String> environment) {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        (int) ProcessHandle.current().pid(),
        session,
        Bytes.random(Message.NONCE),
        flags,
        libraries.stream().map(ClientLibrary::introduction).toList(),
        variables(environment),
        (flags & Hello.FLAG_RETURNS) != 0 ? "" : program());
  }

  /**
   * Opens a connection. A token that was given to this program is named, so that the backend finds
   * what it stands for; that of a file is the backend's own.
   */
  static Welcome greet(int socket, Hello hello, Capabilities can, Map<String, String> environment)
      throws IOException {
    return greet(socket, hello, can, environment, GreetingClient.TIMEOUT_MS);
  }

  /** The same where an answer takes so many milliseconds at most. */
  static Welcome greet(
      int socket, Hello hello, Capabilities can, Map<String, String> environment, int most)
      throws IOException {
    Optional<Token> token = TokenFile.find(environment);
    boolean given = !environment.getOrDefault(TokenFile.VARIABLE, "").isEmpty();
    Hello said = given && token.isPresent() ? hello.withKey(token.get()) : hello;
    return GreetingClient.greet(socket, said, can.has(Capability.VOUCHING), token, most);
  }

  private static SequencedMap<String, String> variables(Map<String, String> environment) {
    SequencedMap<String, String> variables = new TreeMap<>(environment);
    variables.keySet().removeIf(name -> !name.startsWith(VENDOR));
    return variables;
  }

  private static String program() {
    String command = System.getProperty("sun.java.command", "java");
    return command.split(" ", 2)[0];
  }
}
