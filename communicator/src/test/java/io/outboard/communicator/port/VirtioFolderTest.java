// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.communicator.posix.Processes;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** As {@code frontend/test/local.c} has it for the companion. */
class VirtioFolderTest {
  @Test
  void aRuntimeFolderComesFirst() {
    Map<String, String> all =
        Map.of("XDG_RUNTIME_DIR", "/run/user/7", "XDG_STATE_HOME", "/state", "HOME", "/home");
    assertEquals(Optional.of(Path.of("/run/user/7/outboard")), VirtioCommunicator.ownFolder(all));
  }

  @Test
  void withoutOneTheStateFolderServesAllButRoot() {
    boolean root = Processes.getuid() == 0;
    Optional<Path> home = Optional.of(Path.of("/home/.local/state/outboard/run"));
    Optional<Path> state = Optional.of(Path.of("/state/outboard/run"));
    assertEquals(
        root ? Optional.empty() : home, VirtioCommunicator.ownFolder(Map.of("HOME", "/home")));
    assertEquals(
        root ? Optional.empty() : state,
        VirtioCommunicator.ownFolder(Map.of("HOME", "/home", "XDG_STATE_HOME", "/state")));
    assertEquals(Optional.empty(), VirtioCommunicator.ownFolder(Map.of()));
  }
}
