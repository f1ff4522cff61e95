// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link CalmTime} over statistics that a test writes. */
class CalmTimeTest {
  private static final double A_QUARTER = 0.25;

  @TempDir private Path folder;

  private Path write(int busy, int idle) throws IOException {
    return Files.writeString(
        folder.resolve("stat"), "cpu %d 0 0 %d 0 0 0 0\n".formatted(busy, idle));
  }

  @Test
  void comesOnceSoMuchWasIdleSinceTheLastQuestion() throws IOException {
    CalmTime calm = new CalmTime(A_QUARTER, new IdleProcessors(write(100, 900)));
    write(180, 920);
    assertFalse(calm.hasCome());
    write(250, 950);
    assertTrue(calm.hasCome());
  }
}
