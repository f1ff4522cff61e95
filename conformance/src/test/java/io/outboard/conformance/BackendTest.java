// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backend of the tests leaves its log behind, and no folder. */
final class BackendTest {
  @Test
  void itsFoldersAreRemoved(@TempDir Path others) throws Exception {
    Path owned = Folders.make("outboard-owned");
    Files.createSymbolicLink(owned.resolve("link"), Files.createFile(others.resolve("a file")));
    Backend backend = new Backend().withFolder(owned);
    backend.beforeAll(null);
    String log = backend.log();
    backend.afterAll(null);
    assertFalse(Files.exists(backend.folder()) || Files.exists(owned));
    assertTrue(Files.exists(others.resolve("a file")), "the target of a link");
    String kept = backend.log();
    assertEquals(log, kept.substring(0, log.length()));
    Folders.remove(owned);
  }
}
