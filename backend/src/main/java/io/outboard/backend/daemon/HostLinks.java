// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.backend.supervision.OpenSessions;
import io.outboard.backend.system.Log;
import io.outboard.backend.worker.HandOver;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.HostLink;
import io.outboard.wire.Message;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The links from this host to others, and from others to this one, which a backend asks for that
 * has joined both. A key opens one connection, and none after a minute. This host connects to
 * nobody but the backends that its operator has named.
 */
final class HostLinks {
  private static final int CONNECT_MS = 10_000;
  private static final int KEY_SECONDS = 60;

  /** Of one session. */
  private static final int MOST_KEYS = Slot.MOST - 1;

  private static final int MOST_CONNECTING = 16;

  private final List<Endpoint> endpoints;
  private final Semaphore free = new Semaphore(MOST_CONNECTING);
  // By the names of their keys; guarded by itself.
  private final Map<Bytes, Awaited> awaited = new HashMap<>();

  /** {@code endpoints} are the backends that copies may go to. */
  HostLinks(List<Endpoint> endpoints) {
    this.endpoints = List.copyOf(endpoints);
  }

  private record Awaited(Bytes session, Token key) {}

  /**
   * The peer of a link, if a key of that name is awaited. Else a proof is asked for as well, which
   * nobody has: a stranger does not learn which keys there are.
   */
  Claim claim(Bytes name) {
    synchronized (awaited) {
      Token key = Optional.ofNullable(awaited.get(name)).map(Awaited::key).orElseGet(Token::random);
      return Claim.proving(key, new Peer.Linked(name));
    }
  }

  /** The session whose link has this key, which opens nothing any more. */
  Optional<Bytes> take(Bytes name) {
    synchronized (awaited) {
      return Optional.ofNullable(awaited.remove(name)).map(Awaited::session);
    }
  }

  /**
   * Does what the client of a session asks for, and answers; says nothing where that cannot be.
   *
   * @param client its connection, after the Welcome
   */
  void serve(int client, Bytes session, OpenSessions.Opened opened) {
    MessageStream messages = new MessageStream(client, GreetingServer.TIMEOUT_MS);
    try {
      HostLink link = HostLink.decode(messages.receive());
      Token key = link.key(opened.proven().orElseGet(Token::none));
      if (link.connects()) {
        connect(key, link.slot(), opened.worker());
      } else {
        await(session, key);
      }
      messages.send(link.encode());
    } catch (IOException | ProtocolException e) {
      Log.debug("no link is made: " + e.getMessage());
    }
  }

  private void await(Bytes session, Token key) throws IOException {
    Bytes name = key.name();
    synchronized (awaited) {
      long others = awaited.values().stream().filter(one -> one.session.equals(session)).count();
      if (others >= MOST_KEYS) {
        throw new IOException("a session awaits too many links");
      }
      awaited.put(name, new Awaited(session, key));
    }
    CompletableFuture.delayedExecutor(KEY_SECONDS, TimeUnit.SECONDS).execute(() -> take(name));
  }

  private void connect(Token key, int slot, WorkerProcess worker) throws IOException {
    if (!free.tryAcquire()) {
      throw new IOException("too many links are made at once");
    }
    try {
      int connection = connect(key);
      try {
        worker.give(HandOver.Further.link(new Slot(slot), connection));
      } finally {
        Posix.close(connection);
      }
    } finally {
      free.release();
    }
  }

  /** The right one is that which has the key. */
  private int connect(Token key) throws IOException {
    for (Endpoint endpoint : endpoints) {
      try {
        return connect(key, endpoint);
      } catch (IOException e) {
        Log.debug("no link to %s: %s".formatted(endpoint, e.getMessage()));
      }
    }
    throw new IOException("--copy-to names no backend that awaits the link");
  }

  private static int connect(Token key, Endpoint endpoint) throws IOException {
    int connection = Communicator.of(endpoint).connect(endpoint, CONNECT_MS);
    try {
      GreetingClient.greet(connection, hello(key), false, Optional.of(key), CONNECT_MS);
      return connection;
    } catch (ProtocolException | IOException e) {
      Posix.close(connection);
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Hello hello(Token key) {
    return further(Hello.FLAG_LINK, key.name());
  }

  /** The Hello of a connection that opens no session. */
  static Hello further(int flag, Bytes identity) {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        0,
        identity,
        Bytes.random(Message.NONCE),
        flag,
        List.of(),
        new LinkedHashMap<>(),
        "");
  }
}
