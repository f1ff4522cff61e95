// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SpoolTest {
  private static final Instant NOW =
      Instant.ofEpochSecond(0x6547_1234L).plusNanos(0xabcde * 1_000L);

  @TempDir private Path folder;

  private Spool spool(boolean queue) {
    return new Spool(folder.resolve("outgoing"), queue, InstantSource.fixed(NOW), new Random(1));
  }

  @Test
  void aQueueHasItsNames() throws IOException {
    Path file = spool(true).add("text");
    assertTrue(file.getFileName().toString().matches("65471234abcde[0-9a-f]"), file::toString);
    assertEquals(0, Long.parseLong(file.getParent().getFileName().toString(), 16) % 60);
    assertEquals(8, file.getParent().getFileName().toString().length());
    assertEquals("text", Files.readString(file));
  }

  @Test
  void filesOfOneMomentAreTwo() throws IOException {
    Spool spool = spool(false);
    Path one = spool.add("1");
    Path two = spool.add("2");
    assertNotEquals(one, two);
    try (Stream<Path> files = Files.list(one.getParent())) {
      assertEquals(List.of(), files.filter(file -> !file.toString().endsWith(".json")).toList());
    }
  }
}
