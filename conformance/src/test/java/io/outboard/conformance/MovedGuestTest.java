// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A guest under emulation whose program has a session, and that moves to another hypervisor of this
 * host, is paused, is saved and restored, or is cloned meanwhile. The program compares each word
 * that it computes.
 */
@Lengthy
@Timeout(290)
final class MovedGuestTest {
  private static final Path FOLDER = folder();

  private static final Path SAVED = FOLDER.resolve("saved");
  private static final String REFUSED = "another process goes on with this session";

  /** Longer than a client or a backend waits for a silent link; shorter than the grace period. */
  private static final long PAUSE_MS = 35_000;

  private static final long WAIT_MS = 60_000;

  @RegisterExtension
  static final Backend BACKEND =
      new Backend("software", portOf("first"), portOf("second"), portOf("third"), portOf("fourth"));

  private static Path folder() {
    try {
      return Files.createTempDirectory("outboard-moved");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String portOf(String hypervisor) {
    return "--listen=virtio:" + EmulatedGuest.port(FOLDER.resolve(hypervisor));
  }

  @AfterAll
  static void deleteWhatIsLarge() throws IOException {
    Files.deleteIfExists(SAVED);
  }

  @Test
  void aProgramGoesOnOverTcp() throws Exception {
    makeOverTcp();
    goesOn("TCP");
  }

  @Test
  void aProgramGoesOnOverAPort() throws Exception {
    makeOverAPort();
    goesOn("virtio-serial");
  }

  private static void goesOn(String way) throws Exception {
    String place = "unix:" + FOLDER.resolve("moves.sock");
    try (EmulatedGuest first = boot();
        EmulatedGuest second = EmulatedGuest.from(place, FOLDER.resolve("second"))) {
      awaitRounds(first);
      moves(way, first, second, place);
      isPaused(second);
      save(second);
      second.quit();
    }
    Thread.sleep(PAUSE_MS);
    try (EmulatedGuest third = restored("third")) {
      third.goOn();
      awaitBack(third);
      endsWell(third);
    }
  }

  /** Both have the secret of the session, and both were cut off. */
  @Test
  void ofTwoGuestsOfOneImageOneGoesOn() throws Exception {
    makeOverTcp();
    try (EmulatedGuest first = boot()) {
      awaitRounds(first);
      save(first);
      first.quit();
    }
    try (EmulatedGuest one = restored("third");
        EmulatedGuest other = restored("fourth")) {
      one.goOn();
      other.goOn();
      Wait.until(() -> one + "\n" + other, WAIT_MS, () -> isRefused(one) || isRefused(other));
      EmulatedGuest left = isRefused(one) ? other : one;
      left.awaitSaidAgain("round\n");
      endsWell(left);
      assertNotEquals(isRefused(one), isRefused(other), () -> one + "\n" + other);
    }
  }

  @Test
  void aCloneOfAGuestThatGoesOnIsRefused() throws Exception {
    makeOverAPort();
    try (EmulatedGuest first = boot()) {
      awaitRounds(first);
      save(first);
      first.goOn();
      first.awaitSaidAgain("round\n");
      try (EmulatedGuest clone = restored("third")) {
        clone.goOn();
        clone.awaitSaid("its session is gone: ");
        assertTrue(clone.said().contains("another process, a clone of "), clone::toString);
        first.awaitSaidAgain("round\n");
        endsWell(first);
      }
    }
  }

  private static boolean isRefused(EmulatedGuest guest) throws IOException {
    return guest.said().contains(REFUSED);
  }

  private static void makeOverTcp() throws Exception {
    make(BACKEND.tcp().replace("127.0.0.1", "10.0.2.2"));
  }

  private static void makeOverAPort() throws Exception {
    make("virtio:outboard.0");
  }

  private static void make(String on) throws Exception {
    EmulatedGuest.make(on, BACKEND.token(), Home.PROGRAMS.resolve("steady"));
  }

  private static EmulatedGuest boot() throws Exception {
    return EmulatedGuest.boot(FOLDER.resolve("first"));
  }

  private static void awaitRounds(EmulatedGuest guest) throws Exception {
    guest.awaitSaid("round\nround\nround\n");
  }

  private static void moves(String way, EmulatedGuest from, EmulatedGuest to, String place)
      throws Exception {
    from.send(place);
    from.quit();
    to.goOn();
    awaitBack(to);
    long away = System.currentTimeMillis() - from.lastSaid();
    System.out.printf(
        "under emulation, a guest that moves, %s: no round for %d ms, with the copy of its memory%n",
        way, away);
  }

  private static void awaitBack(EmulatedGuest guest) throws Exception {
    guest.awaitSaid(" is back\n");
    guest.awaitSaidAgain("round\n");
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
    return EmulatedGuest.from("exec:cat " + SAVED, FOLDER.resolve(folder));
  }

  private static void endsWell(EmulatedGuest guest) throws Exception {
    guest.type("\n");
    guest.awaitSaid("guest: status=0 ");
    assertTrue(guest.said().contains("ok\n"), guest::toString);
    assertFalse(guest.said().contains("wrong"), guest::toString);
  }
}
