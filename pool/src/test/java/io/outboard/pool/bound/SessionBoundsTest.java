// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.lease.Form;
import io.outboard.pool.RawPeer;
import io.outboard.pool.ServedPool;
import io.outboard.wire.Answer;
import io.outboard.wire.Challenge;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionBoundsTest {
  @TempDir private Path folder;
  private final SessionBounds bounds = new SessionBounds(new SessionLimits(1, 2));

  private static Peer.Holder holder(String lease, String tenant) {
    return new Peer.Holder(lease, 1, tenant);
  }

  private Admitted enter(Peer.Principal who) throws RefusedException {
    return bounds.counted(who, () -> Admitted.WITHOUT_LIMIT);
  }

  private String refused(Peer.Principal who) {
    Refusal refusal = assertThrows(RefusedException.class, () -> enter(who)).refusal();
    assertEquals(Refusal.LIMIT, refusal.code());
    return refusal.text();
  }

  @Test
  void aLeaseHasSoManySessionsAndATenantSoMany() throws Exception {
    enter(holder("one", "alice"));
    Admitted two = enter(holder("two", "alice"));
    assertEquals(
        "lease one has 1 programs, the most of one lease here: wait until one ends,"
            + " or have 'outboard serve --lease-sessions' allow more",
        refused(holder("one", "alice")));
    assertEquals(
        "tenant alice has 2 programs, the most of one tenant here: wait until one ends,"
            + " or have 'outboard serve --tenant-sessions' allow more",
        refused(holder("three", "alice")));
    enter(holder("four", "bob"));
    two.ended(SessionFigures.NOTHING);
    enter(holder("three", "alice"));
  }

  @Test
  void aMembersProgramsWithoutALeaseAreItsTenants() throws Exception {
    Peer.Member alice = new Peer.Member(1001, "alice");
    enter(alice);
    enter(holder("one", "alice"));
    refused(alice);
  }

  @Test
  void theOperatorsOwnProgramsAreNotCounted() throws Exception {
    for (int i = 0; i < 5; i++) {
      enter(new Peer.Operator());
    }
  }

  @Test
  void whoIsNotAdmittedDoesNotCount() throws Exception {
    Peer.Holder alice = holder("one", "alice");
    Refusal why = new Refusal(Refusal.LEASE, "over");
    for (int i = 0; i < 3; i++) {
      var refused =
          assertThrows(
              RefusedException.class,
              () ->
                  bounds.counted(
                      alice,
                      () -> {
                        throw new RefusedException(why);
                      }));
      assertEquals(Refusal.LEASE, refused.refusal().code());
    }
    enter(alice);
  }

  private static Answer open(ServedPool served, Form lease, List<RawPeer> open) throws IOException {
    Token token = ServedPool.token(lease);
    Hello hello = RawPeer.hello(Hello.FLAG_KEY, token.name());
    RawPeer peer = new RawPeer(served.tcp());
    open.add(peer);
    return peer.prove(token, hello, assertInstanceOf(Challenge.class, peer.say(hello)));
  }

  @Test
  void aDaemonRefusesOneTenantAndServesAnother() throws Exception {
    List<RawPeer> open = new ArrayList<>();
    try (ServedPool served = new ServedPool(folder, new SessionLimits(1, 2))) {
      Form first = served.lease("alice");
      assertInstanceOf(Welcome.class, open(served, first, open));
      assertRefused("--lease-sessions", open(served, first, open));
      assertInstanceOf(Welcome.class, open(served, served.lease("alice"), open));
      assertRefused("--tenant-sessions", open(served, served.lease("alice"), open));
      assertInstanceOf(Welcome.class, open(served, served.lease("bob"), open));
      for (RawPeer peer : open) {
        peer.close();
      }
      served.awaitNoSession();
      assertInstanceOf(Welcome.class, open(served, first, open));
      open.getLast().close();
      served.awaitNoSession();
    }
  }

  private static void assertRefused(String remedy, Answer answer) {
    Refusal refusal = assertInstanceOf(Refusal.class, answer);
    assertEquals(Refusal.LIMIT, refusal.code());
    assertTrue(refusal.text().contains(remedy), refusal.text());
  }
}
