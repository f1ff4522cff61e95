// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineFoldersTest {
  @TempDir private Path state;

  @Test
  void aMachineWhoseCommandWasKilledIsDestroyed() throws Exception {
    MachineFolders folders = new MachineFolders(state);
    Process machine = new ProcessBuilder("sleep", "1000").start();
    Process other = new ProcessBuilder("sleep", "1000").start();
    try (MachineFolders.Held alive = folders.make("alive")) {
      alive.note(other.toHandle());
      Path folder = Files.createDirectories(state.resolve("machines/left/seed"));
      Files.writeString(folder.resolve("user-data"), "a token");
      Files.writeString(folder.resolveSibling("process"), identity(machine));
      assertEquals(List.of("left"), folders.reconcile());
      Patience.exit(machine, () -> "the machine ends");
      assertTrue(other.isAlive());
      assertFalse(Files.exists(folder));
      assertEquals(List.of(), folders.reconcile());
      assertTrue(Files.exists(alive.path()));
    } finally {
      machine.destroyForcibly();
      other.destroyForcibly();
    }
    assertFalse(Files.exists(state.resolve("machines/alive")));
  }

  private static String identity(Process process) {
    return process.pid() + " " + process.info().startInstant().orElseThrow();
  }

  /** The number may be another process's by now. */
  @Test
  void aProcessThatHasBegunAtAnotherTimeIsLeftAlone() throws Exception {
    Process other = new ProcessBuilder("sleep", "1000").start();
    try {
      Path folder = Files.createDirectories(state.resolve("machines/left"));
      Files.writeString(folder.resolve("process"), other.pid() + " 2001-01-01T00:00:00Z");
      assertEquals(List.of("left"), new MachineFolders(state).reconcile());
      assertTrue(other.isAlive());
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void whereThereWasNeverAMachineThereIsNothingToDo() throws Exception {
    assertEquals(List.of(), new MachineFolders(state).reconcile());
  }
}
