// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.route.RemoteHost;
import io.outboard.backend.system.Log;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Reconnection;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The backends of other hosts whose devices this one's programs have too. Each program has a
 * session of its own with each of them, which the daemon opens: a worker has neither a network nor
 * the token.
 */
final class JoinedHosts {
  private static final int CHECK_MS = 10_000;

  /** Longer than any session waits for a connection. */
  private static final int MOST_CONNECT_MS = 5_000;

  private final List<Endpoint> endpoints;
  private final Optional<Token> token;
  // By which other backends recognise this one.
  private final Bytes identity = Bytes.random(Message.IDENTITY);

  JoinedHosts(List<Endpoint> endpoints, Optional<Token> token) {
    this.endpoints = List.copyOf(endpoints);
    this.token = token;
  }

  boolean isEmpty() {
    return endpoints.isEmpty();
  }

  Bytes identity() {
    return identity;
  }

  /**
   * Asks each whether it would serve. One that cannot be reached now may be reached later.
   *
   * @throws IOException if one refuses, is another one under another name, or its token is missing
   */
  void check() throws IOException {
    List<Bytes> known = new ArrayList<>(List.of(identity));
    List<String> names = new ArrayList<>(List.of("this backend itself"));
    for (int i = 0; i < endpoints.size(); i++) {
      Optional<Bytes> other = ask(endpoints.get(i), new Slot(i + 1));
      int same = other.map(known::indexOf).orElse(-1);
      if (same >= 0) {
        throw new IOException(
            "--join %s: that is %s, which cannot be joined again"
                .formatted(endpoints.get(i), names.get(same)));
      }
      other.ifPresent(known::add);
      if (other.isPresent()) {
        names.add(endpoints.get(i).toString());
      }
    }
  }

  private Optional<Bytes> ask(Endpoint endpoint, Slot slot) throws IOException {
    Hello hello = hello(0, 0, new LinkedHashMap<>(), "outboard serve").toAsk().in(slot);
    if (token.isEmpty() && !vouches(endpoint)) {
      throw new IOException(
          "--join %s: OUTBOARD_TOKEN or --join-token-file has to have its token"
              .formatted(endpoint));
    }
    try {
      int socket = Communicator.of(endpoint).connect(endpoint);
      try {
        return Optional.of(recognised(greet(endpoint, socket, hello, CHECK_MS)));
      } finally {
        Posix.close(socket);
      }
    } catch (RefusedException | IllegalStateException e) {
      throw new IOException("--join " + endpoint + ": " + e.getMessage(), e);
    } catch (IOException e) {
      Log.warn("%s cannot be joined now: %s".formatted(endpoint, e.getMessage()));
      return Optional.empty();
    }
  }

  /** Which backend it is; one that has joined others must be this one, which is told apart. */
  private Bytes recognised(Welcome welcome) {
    Bytes other = welcome.session();
    if (!welcome.secret().isZero() && !other.equals(identity)) {
      throw new IllegalStateException("it has joined others itself, so that it cannot be joined");
    }
    return other;
  }

  /** Opens a session for a program with each that can be reached; the others are logged. */
  List<JoinedHost> open(Hello client) {
    List<JoinedHost> joined = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      Endpoint endpoint = endpoints.get(i);
      Hello hello =
          hello(client.process(), lasting(endpoint), client.environment(), client.program());
      try {
        joined.add(open(endpoint, new Slot(i + 1), hello));
      } catch (IOException e) {
        Log.warn("%s has no part in %s: %s".formatted(endpoint, client.program(), e.getMessage()));
      }
    }
    return joined;
  }

  private JoinedHost open(Endpoint endpoint, Slot slot, Hello hello) throws IOException {
    int socket = Communicator.of(endpoint).connect(endpoint);
    try {
      Welcome welcome = greet(endpoint, socket, hello.in(slot), GreetingClient.TIMEOUT_MS);
      return new JoinedHost(slot, endpoint.toString(), socket, welcome);
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  /**
   * Makes a connection over which a worker's session with one of them can go on.
   *
   * @param session what has opened it
   * @throws IOException if that is not possible now, or never
   */
  int connect(int slot, Welcome session, int milliseconds) throws IOException {
    if (slot < 1 || slot > endpoints.size()) {
      throw new IOException("no backend has slot " + slot);
    }
    return Reconnection.to(endpoints.get(slot - 1), session, token)
        .connect(Math.clamp(milliseconds, 1, MOST_CONNECT_MS));
  }

  /**
   * Makes a further connection of a session with one of them.
   *
   * @return the connection, after the Welcome; the caller's to close
   */
  int further(JoinedHost host, Hello hello) throws IOException {
    Endpoint endpoint = endpoints.get(host.slot().number() - 1);
    int socket = Communicator.of(endpoint).connect(endpoint, MOST_CONNECT_MS);
    try {
      Welcome unused = greet(endpoint, socket, hello, MOST_CONNECT_MS);
      return socket;
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  private static boolean vouches(Endpoint endpoint) {
    return Communicator.of(endpoint).capabilities().has(Capability.VOUCHING);
  }

  private Welcome greet(Endpoint endpoint, int socket, Hello hello, int timeoutMs)
      throws IOException {
    Hello said = hello.tellsOfLink() ? hello : token.map(hello::withKey).orElse(hello);
    try {
      return GreetingClient.greet(socket, said, vouches(endpoint), token, timeoutMs);
    } catch (ProtocolException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** A session outlives a connection that may end by itself. */
  private static int lasting(Endpoint endpoint) {
    boolean distant = Communicator.of(endpoint).capabilities().distance().silenceIsLoss();
    return distant ? Hello.FLAG_LASTS : 0;
  }

  private static Hello hello(
      int process, int flags, SequencedMap<String, String> environment, String program) {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        process,
        Bytes.zero(Message.IDENTITY),
        Bytes.random(Message.NONCE),
        flags,
        RemoteHost.LIBRARIES.stream().map(ClientLibrary::introduction).toList(),
        environment,
        program);
  }
}
