// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that says whose code runs. */
final class OffloadSettingsTest {
  private static final String ONE = "1".repeat(64);
  private static final String TWO = "2".repeat(64);
  private static final Peer.Holder ALICE = new Peer.Holder("1", 1, "alice");

  @TempDir private Path folder;

  private OffloadSettings read(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("offload.conf"), text);
    Files.setAttribute(file, "unix:mode", 0600);
    return OffloadSettings.read(file);
  }

  @Test
  void whatIsListedRunsForWhomItIsListed() throws IOException {
    AllowList allowed =
        read("# code\njars jars\noperator %s\ntenant alice %s\n".formatted(ONE, TWO)).allowed();
    Bytes one = Jars.digest(ONE);
    Bytes two = Jars.digest(TWO);
    assertTrue(allowed.allows(new Peer.Operator(), one));
    assertFalse(allowed.allows(new Peer.Operator(), two));
    assertTrue(allowed.allows(ALICE, two));
    assertFalse(allowed.allows(ALICE, one));
    assertTrue(allowed.allows(new Peer.Member(1, "alice"), two));
    assertFalse(allowed.allows(new Peer.Holder("2", 1, "bob"), two));
    assertFalse(allowed.allows(new Peer.Holder("3", 1, ""), one));
    assertFalse(allowed.allows(new Peer.Itself(), one));
  }

  @Test
  void aSignersFingerprintMayBeKeytools() throws IOException {
    String printed = "AB:".repeat(31) + "AB";
    AllowList allowed =
        read("jars jars\noperator-signer %s\ntenant-signer alice %s".formatted(ONE, printed))
            .allowed();
    assertEquals(Optional.of(Set.of(Jars.digest(ONE))), allowed.signers(new Peer.Operator()));
    assertEquals(Optional.of(Set.of(Jars.digest("ab".repeat(32)))), allowed.signers(ALICE));
    assertEquals(Optional.empty(), allowed.signers(new Peer.Holder("2", 1, "bob")));
    assertEquals(Optional.empty(), allowed.signers(new Peer.Itself()));
    // A certificate is no jar.
    assertFalse(allowed.allows(new Peer.Operator(), Jars.digest(ONE)));
  }

  @Test
  void aTenantMayHaveAnyName() throws IOException {
    AllowList allowed = read("jars jars\ntenant operator " + ONE).allowed();
    assertFalse(allowed.allows(new Peer.Operator(), Jars.digest(ONE)));
  }

  @Test
  void anEmptyListLetsNothingRun() throws IOException {
    AllowList allowed = read("jars jars").allowed();
    assertFalse(allowed.allows(new Peer.Operator(), Jars.digest(ONE)));
    assertFalse(allowed.allows(ALICE, Jars.digest(ONE)));
  }

  @Test
  void boundsAreRead() throws IOException {
    OffloadSettings.Bounds bounds =
        read("jars jars\nmemory 64\nprocessors 3\ncall-seconds 5\nsessions 7\ntenant-sessions 6\ngpu 1")
            .bounds();
    assertEquals(new OffloadSettings.Bounds(64 << 20, 3, 5, 7, 6, 1), bounds);
  }

  @Test
  void whatIsWrongIsRefused() {
    for (String wrong :
        List.of(
            "",
            "jars",
            "jars a b",
            "jars a\njars b",
            "jars a\noperator",
            "jars a\noperator 1",
            "jars a\noperator " + ONE.replace('1', 'A'),
            "jars a\ntenant " + ONE,
            "jars a\ntenant-signer " + ONE,
            "jars a\noperator-signer alice " + ONE,
            "jars a\noperator-signer AB:CD",
            "jars a\nmemory 1",
            "jars a\nmemory 64 MiB",
            "jars a\nsessions 0",
            "jars a\nsessions -1",
            "jars a\nanything 1")) {
      assertThrows(IOException.class, () -> read(wrong), wrong);
    }
  }

  @Test
  void aFileThatOthersWriteIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("open.conf"), "jars jars");
    Files.setAttribute(file, "unix:mode", 0622);
    assertThrows(IOException.class, () -> OffloadSettings.read(file));
  }
}
