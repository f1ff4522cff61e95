// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A standby worker's opening runs once before its client comes. */
class OpeningWarmUpTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      return all.count();
    }
  }

  private static long sessionThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("session-"))
        .count();
  }

  @Test
  void leavesNoDescriptorAndNoThread() throws IOException {
    OpeningWarmUp.play("software"); // opens what a process opens once
    long before = descriptors();
    OpeningWarmUp.play("software");
    OpeningWarmUp.play("software");
    assertEquals(before, descriptors());
    assertEquals(0, sessionThreads());
  }

  @Test
  void goesAllTheWayToTheWelcome() {
    assertTrue(OpeningWarmUp.play("software"));
  }
}
