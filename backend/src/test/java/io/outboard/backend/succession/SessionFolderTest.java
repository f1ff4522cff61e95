// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.succession;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionFolderTest {
  /** A daemon was killed between a file's name for a time and its own name. */
  @Test
  void halfAFileOfAKilledDaemonIsRemoved(@TempDir Path home) throws Exception {
    SessionFolder folder = SessionFolder.beside(home.resolve("s").toString());
    folder.make();
    Path half = Files.createFile(home.resolve("s.sessions/new4711"));
    Path other = Files.createFile(home.resolve("s.sessions/other"));
    assertEquals(List.of(), folder.left());
    assertFalse(Files.exists(half));
    assertTrue(Files.exists(other));
  }
}
