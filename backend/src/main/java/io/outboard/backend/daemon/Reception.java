// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.offload.Offloads;
import io.outboard.backend.supervision.OpenSessions;
import io.outboard.backend.worker.HandOver;
import io.outboard.communicator.Origin;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Gives each connection that has been greeted what it has come for. */
final class Reception implements AutoCloseable {
  private static final String NO_CONTROL =
      "the token of a lease does not control the backend: OUTBOARD_TOKEN wants the backend's, or"
          + " nothing";

  private static final String JOINS =
      "this backend has joined others itself, so that it cannot be joined";

  private static final String NO_CODE =
      "this backend runs no code of clients: its operator has not said 'serve --offload FILE'";

  private static final Duration WORKER_END = Duration.ofSeconds(3);

  private final Identification identification;
  private final Controls controls;
  private final Sessions sessions;
  private final JoinedHosts joins;
  private final HostLinks links;
  // None unless the operator wants them.
  private final Optional<Offloads> offloads;

  Reception(
      DaemonBuilder settings, Sessions sessions, JoinedHosts joins, Optional<Offloads> offloads) {
    this.offloads = offloads;
    this.sessions = sessions;
    this.joins = joins;
    links = new HostLinks(settings.copiesTo);
    controls = new Controls(settings.admission);
    identification = new Identification(settings.token, settings.admission, sessions.open(), links);
  }

  /**
   * Returns the peer's identity, and the token that it has to prove.
   *
   * @throws RefusedException if it names a session or a token that is not there
   */
  Claim claim(Hello hello, Origin origin) throws RefusedException {
    return identification.claim(hello, origin);
  }

  /** Serves a connection, which stays its caller's to close. */
  void serve(Origin origin, int client, Greeted greeted) throws IOException {
    if (greeted.hello().slot().isPresent() && !joins.isEmpty() && !greeted.hello().asks()) {
      GreetingServer.refuse(client, new Refusal(Refusal.LIMIT, JOINS));
      return;
    }
    switch (greeted.peer()) {
      case Peer.Further further ->
          pass(client, greeted, further.session(), HandOver.Purpose.BULK, HandOver.Purpose.CALLS);
      case Peer.Returning returning -> takeBack(client, greeted, returning.session());
      case Peer.Linking linking -> link(client, greeted, linking.session());
      case Peer.Linked linked -> pass(client, greeted, linked);
      case Peer.Principal who when greeted.hello().asks() -> answer(client, greeted, who);
      case Peer.Principal who when greeted.hello().offloads() -> offload(client, greeted, who);
      case Peer.Principal who when !greeted.hello().controls() ->
          sessions.begin(client, greeted, who);
      case Peer.Controller who -> control(client, greeted, who, origin);
      case Peer.Holder _, Peer.Itself _ ->
          GreetingServer.refuse(client, new Refusal(Refusal.TOKEN, NO_CONTROL));
    }
  }

  private void control(int client, Greeted greeted, Peer.Controller who, Origin origin)
      throws IOException {
    try (Places.Place place = controls.enter(who, origin, client)) {
      welcome(client, greeted);
      controls.serve(client, who, place);
    } catch (RefusedException e) {
      GreetingServer.refuse(client, e.refusal());
      throw e;
    }
  }

  private void offload(int client, Greeted greeted, Peer.Principal who) throws IOException {
    if (offloads.isEmpty()) {
      GreetingServer.refuse(client, new Refusal(Refusal.CODE, NO_CODE));
      return;
    }
    welcome(client, greeted);
    offloads.get().serve(client, who);
  }

  /** Tells a client whether it would be served, which takes no worker. */
  private void answer(int client, Greeted greeted, Peer.Principal who) throws IOException {
    Optional<Refusal> obstacle = sessions.obstacle(who);
    if (obstacle.isPresent()) {
      GreetingServer.refuse(client, obstacle.get());
    } else if (greeted.hello().slot().isPresent()) {
      answer(client, greeted);
    } else {
      welcome(client, greeted);
    }
  }

  /** Tells another backend which one this is, and whether it has joined others itself. */
  private void answer(int client, Greeted greeted) throws IOException {
    Bytes own = joins.identity();
    Bytes router = joins.isEmpty() ? Bytes.zero(Message.IDENTITY) : own;
    welcome(client, greeted, own, router);
  }

  /** Passes one on that a thread of the client may have to itself. */
  private void pass(
      int client,
      Greeted greeted,
      Bytes identity,
      HandOver.Purpose shared,
      HandOver.Purpose ofThread)
      throws IOException {
    OptionalInt thread = greeted.hello().thread();
    HandOver.Purpose purpose = thread.isPresent() ? ofThread : shared;
    pass(client, greeted, identity, new HandOver.Further(purpose, thread.orElse(0), client));
  }

  /**
   * Passes a further connection of a client on to its worker, which reads it from its Welcome on.
   */
  private void pass(int client, Greeted greeted, Bytes identity, HandOver.Further further)
      throws IOException {
    Refusal otherwise = gone(identity, greeted.hello().returns());
    Optional<OpenSessions.Opened> session = find(client, identity, otherwise);
    if (session.isPresent()) {
      session.get().worker().give(further);
      welcome(client, greeted);
    }
  }

  /**
   * A client that has lost its connection goes on with its session. One whose session ends with its
   * connection only asks why, and may see the end of the worker sooner than this process does.
   */
  private void takeBack(int client, Greeted greeted, Bytes identity) throws IOException {
    if (sessions.open().find(identity).filter(session -> !session.lasts()).isPresent()) {
      sessions.open().awaitRemoval(identity, WORKER_END);
    }
    if (sessions.open().find(identity).filter(session -> !session.lasts()).isPresent()) {
      GreetingServer.refuse(client, GreetingServer.NO_SESSION);
    } else {
      pass(client, greeted, identity, HandOver.Purpose.RETURN, HandOver.Purpose.CALLS_RETURN);
    }
  }

  /** A link's key is of no more use once it was proven. */
  private void pass(int client, Greeted greeted, Peer.Linked linked) throws IOException {
    Optional<Bytes> session = links.take(linked.key());
    if (session.isEmpty()) {
      GreetingServer.refuse(client, GreetingServer.NO_SESSION);
      return;
    }
    pass(client, greeted, session.get(), HandOver.Further.of(HandOver.Purpose.LINK_FROM, client));
  }

  private void link(int client, Greeted greeted, Bytes identity) throws IOException {
    Optional<OpenSessions.Opened> session = find(client, identity, GreetingServer.NO_SESSION);
    if (session.isPresent()) {
      welcome(client, greeted);
      links.serve(client, identity, session.get());
    }
  }

  /** The session of a connection; none where there is none, which the client is told. */
  private Optional<OpenSessions.Opened> find(int client, Bytes identity, Refusal otherwise)
      throws IOException {
    Optional<OpenSessions.Opened> session = sessions.open().find(identity);
    if (session.isEmpty()) {
      GreetingServer.refuse(client, otherwise);
    }
    return session;
  }

  /**
   * A returning client has proven that the session was its own, so it learns why the session ended.
   */
  private Refusal gone(Bytes identity, boolean returns) {
    return sessions
        .open()
        .ended(identity)
        .filter(_ -> returns)
        .map(ended -> new Refusal(Refusal.SESSION, "it has ended: " + ended.why()))
        .orElse(GreetingServer.NO_SESSION);
  }

  /** Welcomes a connection that opens no session. */
  private static void welcome(int client, Greeted greeted) throws IOException {
    welcome(client, greeted, greeted.hello().session(), Bytes.zero(Message.IDENTITY));
  }

  private static void welcome(int client, Greeted greeted, Bytes session, Bytes secret)
      throws IOException {
    int version = greeted.hello().version();
    GreetingServer.welcome(
        client, new Welcome(version, session, secret, greeted.serverProof(), List.of()));
  }

  @Override
  public void close() {
    controls.close();
  }
}
