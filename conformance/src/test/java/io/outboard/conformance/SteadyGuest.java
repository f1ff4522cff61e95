// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Guests whose program has a session, and compares each word that it computes. */
final class SteadyGuest {
  private SteadyGuest() {}

  static void makeOverTcp(Backend backend) throws Exception {
    make(backend, backend.tcp().replace("127.0.0.1", "10.0.2.2"));
  }

  static void makeOverAPort(Backend backend) throws Exception {
    make(backend, "virtio:outboard.0");
  }

  private static void make(Backend backend, String on) throws Exception {
    EmulatedGuest.make(on, backend.token(), Home.PROGRAMS.resolve("steady"));
  }

  static void awaitRounds(EmulatedGuest guest) throws Exception {
    guest.awaitSaid("round\nround\nround\n");
  }

  /** The program goes on after the move; says for how long it did not. */
  static void hasMoved(String way, EmulatedGuest from, EmulatedGuest to) throws Exception {
    awaitBack(to);
    long away = System.currentTimeMillis() - from.lastSaid();
    System.out.printf(
        "under emulation, a guest that moves, %s: no round for %d ms, with the copy of its memory%n",
        way, away);
  }

  static void awaitBack(EmulatedGuest guest) throws Exception {
    guest.awaitSaid(" is back");
    guest.awaitSaidAgain("round\n");
  }

  static void endsWell(EmulatedGuest guest) throws Exception {
    guest.type("\n");
    guest.awaitSaid("guest: status=0 ");
    assertTrue(guest.said().contains("ok\n"), guest::toString);
    assertFalse(guest.said().contains("wrong"), guest::toString);
  }
}
