// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldDevicesTest {
  @TempDir Path folder;

  private static int descriptorsIn(Path folder) throws IOException {
    int open = 0;
    try (var files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        open += Files.isSymbolicLink(file) && leadsInto(file, folder) ? 1 : 0;
      }
    }
    return open;
  }

  private static boolean leadsInto(Path link, Path folder) {
    try {
      return Files.readSymbolicLink(link).startsWith(folder);
    } catch (IOException e) {
      return false; // the folder's own descriptor, closed meanwhile
    }
  }

  @Test
  void theGpusAreOpenUntilItIsClosedAndNothingElse() throws IOException {
    for (String name : List.of("nvidia0", "nvidia12", "nvidiactl", "nvidia-uvm", "null")) {
      Files.createFile(folder.resolve(name));
    }
    try (HeldDevices held = HeldDevices.of("software")) {
      assertEquals(0, held.count());
      held.hold(folder);
      assertEquals(2, held.count());
      assertEquals(2, descriptorsIn(folder));
    }
    assertEquals(0, descriptorsIn(folder));
  }

  @Test
  void whatCannotBeOpenedIsLeftAlone() throws IOException {
    Files.createDirectory(folder.resolve("nvidia0"));
    Files.createFile(folder.resolve("nvidia1"));
    try (HeldDevices held = HeldDevices.of("software")) {
      held.hold(folder);
      held.hold(folder.resolve("nowhere"));
      assertEquals(1, held.count());
    }
  }
}
