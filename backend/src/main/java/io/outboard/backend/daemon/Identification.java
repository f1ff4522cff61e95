// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.OpenSessions;
import io.outboard.communicator.Origin;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Users;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import java.util.Optional;

/**
 * Decides at the Hello who a peer is to be, and which token it has to prove for that. The result is
 * kept in the {@link Claim}, so that nobody looks for it again. An unknown name is refused.
 */
final class Identification {
  private final Token token;
  private final Bytes tokenName;
  private final Admission admission;
  private final OpenSessions sessions;
  private final HostLinks links;

  /**
   * Knows who may come in.
   *
   * @param token the backend's own
   * @param admission knows other tokens
   */
  Identification(Token token, Admission admission, OpenSessions sessions, HostLinks links) {
    this.token = token;
    this.tokenName = token.name();
    this.admission = admission;
    this.sessions = sessions;
    this.links = links;
  }

  /**
   * Returns the peer's identity, and the token that it has to prove.
   *
   * @throws RefusedException if it names a session or a token that is not there
   */
  Claim claim(Hello hello, Origin origin) throws RefusedException {
    if (hello.returns()) {
      return returning(hello.session(), origin);
    }
    if (hello.isLink()) {
      return links.claim(hello.session());
    }
    if (hello.joins() || hello.tellsOfLink()) {
      return further(hello, origin);
    }
    return hello.namesKey() && !hello.session().equals(tokenName)
        ? named(hello.session(), origin)
        : unnamed(origin);
  }

  private Claim named(Bytes name, Origin origin) throws RefusedException {
    Optional<Claim> known = admission.claim(name);
    if (known.isPresent()) {
      return known.get();
    }
    if (!origin.isVouched()) {
      throw new RefusedException(GreetingServer.WRONG_TOKEN);
    }
    if (admission.namesTokens()) {
      throw new RefusedException(
          new Refusal(
              Refusal.LEASE,
              "the token is of no lease that this backend has: it may be over; 'outboard lease'"
                  + " gives a new one"));
    }
    return unnamed(origin);
  }

  private Claim unnamed(Origin origin) {
    return switch (origin) {
      case Origin.Owner _ -> Claim.vouched(new Peer.Operator());
      case Origin.Member member -> Claim.vouched(peer(member));
      case Origin.Remote _ -> Claim.proving(token, new Peer.Operator());
    };
  }

  private static Peer.Member peer(Origin.Member member) {
    return new Peer.Member(member.user(), Users.name(member.user()));
  }

  /** A further connection has to come from the session's opener. */
  private Claim further(Hello hello, Origin origin) throws RefusedException {
    Bytes identity = hello.session();
    OpenSessions.Opened session =
        sessions.find(identity).orElseThrow(() -> new RefusedException(GreetingServer.NO_SESSION));
    Peer peer = hello.joins() ? new Peer.Further(identity) : new Peer.Linking(identity);
    if (session.proven().isPresent()) {
      return Claim.proving(session.proven().get(), peer);
    }
    if (!isOpeners(session, origin)) {
      throw new RefusedException(GreetingServer.NO_SESSION);
    }
    return Claim.vouched(peer);
  }

  private boolean isOpeners(OpenSessions.Opened session, Origin origin) {
    return unnamed(origin).equals(Claim.vouched(session.opener()));
  }

  /**
   * A client that comes back to a session proves the session's secret and the token that its opener
   * proved. For a session that is not there a proof is asked for as well, which nobody has: a
   * stranger does not learn which sessions there are.
   */
  private Claim returning(Bytes identity, Origin origin) {
    Token key =
        sessions
            .find(identity)
            .filter(session -> session.proven().isPresent() || isOpeners(session, origin))
            .map(OpenSessions.Opened::returning)
            .or(() -> sessions.ended(identity).map(OpenSessions.Ended::key))
            .orElseGet(Token::random);
    return Claim.proving(key, new Peer.Returning(identity));
  }
}
