// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that one tenant's worker left for the driver are no other tenant's. */
class ComputeCachesTest {
  private static final int USER = 60_200;
  private static final Peer.Principal OURS = new Peer.Holder("lease", 1, "ours");
  private static final Peer.Principal OURS_TOO = new Peer.Member(7, "ours");
  private static final Peer.Principal THEIRS = new Peer.Holder("other", 1, "theirs");

  @TempDir private Path parent;

  private ComputeCaches several() throws IOException {
    assumeTrue(Processes.getuid() == 0, "the superuser alone can give folders away");
    ComputeCaches caches = new ComputeCaches(parent.resolve("compute"), true);
    caches.prepare();
    return caches;
  }

  private static Path folder(ComputeCaches caches) {
    return Path.of(caches.variables(OptionalInt.of(USER)).get("CUDA_CACHE_PATH"));
  }

  private static Object attribute(Path path, String name) throws IOException {
    return Files.getAttribute(path, "unix:" + name);
  }

  @Test
  void aWorkersUserAloneEntersItsFolder() throws IOException {
    ComputeCaches caches = several();
    caches.lend(USER, OURS);
    assertEquals(USER, attribute(folder(caches), "uid"));
    assertEquals(0700, (int) attribute(folder(caches), "mode") & 0777);
    assertEquals(0, attribute(caches.path(), "uid"));
    assertEquals(0711, (int) attribute(caches.path(), "mode") & 0777);
  }

  @Test
  void theSameTenantFindsWhatItKept() throws IOException {
    ComputeCaches caches = several();
    caches.lend(USER, OURS);
    Path kept = Files.writeString(folder(caches).resolve("kernel"), "code");
    caches.lend(USER, OURS_TOO);
    assertTrue(Files.exists(kept));
  }

  @Test
  void anotherTenantFindsNothing() throws IOException {
    ComputeCaches caches = several();
    caches.lend(USER, OURS);
    Path kept = Files.writeString(folder(caches).resolve("kernel"), "code");
    caches.lend(USER, THEIRS);
    assertFalse(Files.exists(kept));
    assertEquals(USER, attribute(folder(caches), "uid"));
    caches.lend(USER, new Peer.Operator());
    caches.lend(USER, OURS);
    assertFalse(Files.exists(kept));
  }

  /** As after an end of the daemon in the middle. */
  @Test
  void aFolderWhoseTenantIsNotKnownIsMadeAnew() throws IOException {
    ComputeCaches caches = several();
    caches.lend(USER, OURS);
    Path kept = Files.writeString(folder(caches).resolve("kernel"), "code");
    Files.delete(caches.path().resolve(USER + ".owner"));
    caches.lend(USER, OURS);
    assertFalse(Files.exists(kept));
  }

  @Test
  void whatWasPutAsideIsRemovedAndNoLinkIsFollowed() throws IOException {
    ComputeCaches caches = several();
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Path others = Files.writeString(elsewhere.resolve("file"), "another's");
    Path old = Files.createDirectories(caches.path().resolve("old-1-2").resolve("a").resolve("b"));
    Files.createSymbolicLink(old.resolve("link"), elsewhere);
    caches.prepare();
    assertFalse(Files.exists(caches.path().resolve("old-1-2")));
    assertTrue(Files.exists(others));
  }

  @Test
  void aFolderThatOthersWriteIsRefused() throws IOException {
    Path folder = Files.createDirectory(parent.resolve("open"));
    Files.setAttribute(folder, "unix:mode", 0777);
    ComputeCaches caches = new ComputeCaches(folder, false);
    assertThrows(IOException.class, caches::prepare);
  }

  @Test
  void workersOfOneUserHaveOneFolder() throws IOException {
    ComputeCaches caches = new ComputeCaches(parent.resolve("new").resolve("compute"), false);
    caches.prepare();
    assertEquals(0700, (int) attribute(caches.path(), "mode") & 0777);
    assertEquals(
        Map.of("CUDA_CACHE_PATH", caches.path().toString()), caches.variables(OptionalInt.empty()));
  }
}
