// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A guest under emulation whose program has a session, and that moves to another hypervisor of this
 * host, is paused, is saved and restored, is cloned, or has its port unplugged meanwhile. The
 * program compares each word that it computes.
 */
@Lengthy
final class MovedGuestTest {
  private static final Path FOLDER = Folders.make("outboard-moved");

  private static final Path SAVED = FOLDER.resolve("saved");
  private static final String REFUSED = "another process goes on with this session";

  /** Longer than a client or a backend waits for a silent link; shorter than the grace period. */
  private static final long PAUSE_MS = 35_000;

  @RegisterExtension
  static final Backend BACKEND =
      new Backend("software", portOf("first"), portOf("second"), portOf("third"), portOf("fourth"))
          .withFolder(FOLDER);

  private static String portOf(String hypervisor) {
    return "--listen=virtio:" + EmulatedGuest.port(FOLDER.resolve(hypervisor));
  }

  @Test
  void aProgramGoesOnOverTcp() throws Exception {
    SteadyGuest.makeOverTcp(BACKEND);
    goesOn("TCP");
  }

  @Test
  void aProgramGoesOnOverAPort() throws Exception {
    SteadyGuest.makeOverAPort(BACKEND);
    goesOn("virtio-serial");
  }

  private static void goesOn(String way) throws Exception {
    String place = "unix:" + FOLDER.resolve("moves.sock");
    try (EmulatedGuest first = boot();
        EmulatedGuest second = EmulatedGuest.from(place, FOLDER.resolve("second"), List.of())) {
      SteadyGuest.awaitRounds(first);
      moves(way, first, second, place);
      isPaused(second);
      save(second);
      second.quit();
    }
    Thread.sleep(PAUSE_MS);
    try (EmulatedGuest third = restored("third")) {
      third.goOn();
      SteadyGuest.awaitBack(third);
      SteadyGuest.endsWell(third);
    }
  }

  @Test
  void aProgramGoesOnOverAPortThatIsPluggedAgain() throws Exception {
    SteadyGuest.makeOverAPort(BACKEND);
    try (EmulatedGuest guest = boot()) {
      SteadyGuest.awaitRounds(guest);
      guest.plugAgain();
      SteadyGuest.awaitBack(guest);
      SteadyGuest.endsWell(guest);
    }
  }

  /** Both have the secret of the session, and both were cut off. */
  @Test
  void ofTwoGuestsOfOneImageOneGoesOn() throws Exception {
    SteadyGuest.makeOverTcp(BACKEND);
    try (EmulatedGuest first = boot()) {
      SteadyGuest.awaitRounds(first);
      save(first);
      first.quit();
    }
    try (EmulatedGuest one = restored("third");
        EmulatedGuest other = restored("fourth")) {
      one.goOn();
      other.goOn();
      Patience.until(() -> one + "\n" + other, () -> isRefused(one) || isRefused(other));
      EmulatedGuest left = isRefused(one) ? other : one;
      left.awaitSaidAgain("round\n");
      SteadyGuest.endsWell(left);
      assertNotEquals(isRefused(one), isRefused(other), () -> one + "\n" + other);
    }
  }

  @Test
  void aCloneOfAGuestThatGoesOnIsRefused() throws Exception {
    SteadyGuest.makeOverAPort(BACKEND);
    try (EmulatedGuest first = boot()) {
      SteadyGuest.awaitRounds(first);
      save(first);
      first.goOn();
      first.awaitSaidAgain("round\n");
      try (EmulatedGuest clone = restored("third")) {
        clone.goOn();
        clone.awaitSaid("its session is gone: ");
        assertTrue(clone.said().contains("another process, a clone of "), clone::toString);
        first.awaitSaidAgain("round\n");
        SteadyGuest.endsWell(first);
      }
    }
  }

  private static boolean isRefused(EmulatedGuest guest) throws IOException {
    return guest.said().contains(REFUSED);
  }

  private static EmulatedGuest boot() throws Exception {
    return EmulatedGuest.boot(FOLDER.resolve("first"), List.of());
  }

  private static void moves(String way, EmulatedGuest from, EmulatedGuest to, String place)
      throws Exception {
    from.send(place);
    from.quit();
    to.goOn();
    SteadyGuest.hasMoved(way, from, to);
  }

  private static void isPaused(EmulatedGuest guest) throws Exception {
    guest.pause();
    Thread.sleep(PAUSE_MS);
    guest.goOn();
    guest.awaitSaidAgain("round\n");
  }

  private static void save(EmulatedGuest guest) throws Exception {
    guest.send("exec:cat >" + SAVED);
  }

  private static EmulatedGuest restored(String folder) throws Exception {
    return EmulatedGuest.from("exec:cat " + SAVED, FOLDER.resolve(folder), List.of());
  }
}
