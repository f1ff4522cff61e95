// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link IdleProcessors} over statistics that a test writes, and over the system's. */
class IdleProcessorsTest {
  private static final double EXACT = 1e-9;

  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("stat"), text);
  }

  @Test
  void idleAndWaitingForDiskCount() throws IOException {
    IdleProcessors processors =
        new IdleProcessors(write("cpu  100 0 50 1000 10 0 0 0 70 0\ncpu0 1 1 1 1\n"));
    write("cpu  140 10 60 1060 20 10 10 50 90 0\ncpu0 2 2 2 2\n");
    assertEquals(70 / 200.0, processors.shareSinceLast(), EXACT);
    assertEquals(0, processors.shareSinceLast(), EXACT, "no time has passed");
    write("cpu  140 10 60 1160 20 10 10 50 90 0\n");
    assertEquals(1, processors.shareSinceLast(), EXACT);
  }

  @Test
  void whatTheSystemDoesNotTellCountsAsIdle() throws IOException {
    assertEquals(1, new IdleProcessors(folder.resolve("none")).shareSinceLast(), EXACT);
    assertEquals(1, new IdleProcessors(write("")).shareSinceLast(), EXACT);
    assertEquals(1, new IdleProcessors(write("intr 1 2\n")).shareSinceLast(), EXACT);
    assertEquals(1, new IdleProcessors(write("cpu a b c d e f g h\n")).shareSinceLast(), EXACT);
  }

  @Test
  void thisSystemTells() throws InterruptedException {
    IdleProcessors processors = new IdleProcessors();
    Thread.sleep(200);
    double share = processors.shareSinceLast();
    assertTrue(share >= 0 && share <= 1, () -> "a share of " + share);
  }
}
