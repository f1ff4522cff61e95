// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.outboard.communicator.Endpoint;
import io.outboard.lease.Form;
import io.outboard.wire.Answer;
import io.outboard.wire.Challenge;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer of a real daemon keeps the identity of its greeting, whatever becomes of its lease. */
final class PeerTest {
  private static final int KEYED_CONTROL = Hello.FLAG_KEY | Hello.FLAG_CONTROL;

  /** Every request that a control connection knows, members' and operators'. */
  private static final List<String> VERBS =
      List.of(
          "lease",
          "find",
          "handover",
          "leases",
          "release",
          "revoke",
          "drain",
          "suspend",
          "resume",
          "renew",
          "usage",
          "token-create",
          "tokens",
          "token-revoke",
          "tenant-set",
          "tenants",
          "devices",
          "readmit",
          "cordon",
          "uncordon",
          "sessions",
          "figures");

  @TempDir private Path folder;
  private ServedPool served;

  @BeforeEach
  void serve() throws IOException {
    served = new ServedPool(folder);
  }

  @AfterEach
  void end() {
    served.close();
  }

  @Test
  void theTokenOfALeaseThatEndsDuringTheGreetingControlsNothing() throws Exception {
    for (String verb : VERBS) {
      Form lease = served.lease("alice");
      Token token = ServedPool.token(lease);
      Hello hello = RawPeer.hello(KEYED_CONTROL, token.name());
      try (RawPeer peer = new RawPeer(served.tcp())) {
        var challenge = assertInstanceOf(Challenge.class, peer.say(hello));
        served.release(lease);
        assertRefused(peer, verb, peer.prove(token, hello, challenge));
      }
    }
    assertEquals(List.of(), served.pool.ask("tokens", new Form()));
  }

  @Test
  void aHolderOfALeaseThatEndsDuringTheGreetingGetsNoSession() throws Exception {
    Form lease = served.lease("alice");
    Token token = ServedPool.token(lease);
    Hello hello = RawPeer.hello(Hello.FLAG_KEY, token.name());
    try (RawPeer peer = new RawPeer(served.tcp())) {
      var challenge = assertInstanceOf(Challenge.class, peer.say(hello));
      served.release(lease);
      assertRefusal(Refusal.LEASE, peer.prove(token, hello, challenge));
    }
    assertEquals(List.of(), served.pool.ask("sessions", new Form()));
  }

  @Test
  void aTokenThatNobodyKnowsIsRefusedWhereverItComesFrom() throws Exception {
    // From the first lease on a backend knows other tokens than its own.
    served.lease("alice");
    for (int flags : new int[] {Hello.FLAG_KEY, KEYED_CONTROL}) {
      Hello hello = RawPeer.hello(flags, Token.random().name());
      try (RawPeer remote = new RawPeer(served.tcp());
          RawPeer local = new RawPeer(served.unix())) {
        assertRefusal(Refusal.TOKEN, remote.say(hello));
        assertRefusal(Refusal.LEASE, local.say(hello));
      }
    }
  }

  @Test
  void theBackendsTokenControlsIt() throws Exception {
    Hello hello = RawPeer.hello(KEYED_CONTROL, served.token.name());
    try (RawPeer peer = new RawPeer(served.tcp())) {
      var challenge = assertInstanceOf(Challenge.class, peer.say(hello));
      assertInstanceOf(Welcome.class, peer.prove(served.token, hello, challenge));
      assertEquals(Control.Kind.DONE, peer.ask("leases").kind());
    }
  }

  /** A session's token is its secret; its identity is not, as it may have been overheard. */
  @Test
  void aConnectionIsAddedToASessionByItsOwnTokenAlone() throws Exception {
    Token token = ServedPool.token(served.lease("alice"));
    Token other = ServedPool.token(served.lease("bob"));
    Hello opening = RawPeer.hello(Hello.FLAG_KEY, token.name());
    try (RawPeer session = new RawPeer(served.tcp())) {
      var challenge = assertInstanceOf(Challenge.class, session.say(opening));
      var opened = assertInstanceOf(Welcome.class, session.prove(token, opening, challenge));
      Hello joining = RawPeer.hello(Hello.FLAG_BULK, opened.session());
      for (Endpoint endpoint : served.daemon.endpoints()) {
        assertRefusal(Refusal.TOKEN, join(endpoint, joining, other));
        assertRefusal(Refusal.TOKEN, join(endpoint, joining, served.token));
        assertInstanceOf(Welcome.class, join(endpoint, joining, token));
      }
    }
    served.awaitNoSession();
  }

  private static Answer join(Endpoint endpoint, Hello hello, Token token) throws IOException {
    try (RawPeer peer = new RawPeer(endpoint)) {
      return peer.prove(token, hello, assertInstanceOf(Challenge.class, peer.say(hello)));
    }
  }

  private static void assertRefusal(int code, Answer answer) {
    Refusal refusal = assertInstanceOf(Refusal.class, answer);
    assertEquals(code, refusal.code(), refusal.text());
  }

  /** A peer that is welcomed all the same must be refused each request. */
  private static void assertRefused(RawPeer peer, String verb, Answer answer) throws IOException {
    if (answer instanceof Welcome) {
      Control end = peer.ask(verb + "?role=operator&seconds=60&name=mallory");
      assertEquals(Control.Kind.FAILED, end.kind(), verb + " is answered: " + end.text());
      assertEquals("'%s' is the operator's to ask".formatted(verb), end.text());
    } else {
      assertRefusal(Refusal.TOKEN, answer);
    }
  }
}
