// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that workers leave when they crash. */
final class CrashFilesTest {
  private static final int MOST_FILES = 16;
  private static final long MOST_BYTES = 1 << 20;

  @TempDir private Path folder;

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("crashes"))) {
      return all.count();
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void theyAreFewAndSmallAndNobodyElseReadsThem() throws IOException {
    CrashFiles crashes = CrashFiles.in(folder.resolve("crashes"), false);
    assertEquals("rwx------", mode(folder.resolve("crashes")));
    for (int i = 0; i < MOST_FILES + 3; i++) {
      Path file = crashes.create(OptionalInt.empty());
      assertEquals("rw-------", mode(file));
      try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
        large.setLength(MOST_BYTES + 1);
      }
      crashes.ended(file);
      assertTrue(Files.notExists(file) || Files.size(file) == MOST_BYTES);
    }
    assertEquals(MOST_FILES, files());
  }

  @Test
  void aWorkerThatEndsAsItShouldLeavesNone() throws IOException {
    CrashFiles crashes = CrashFiles.in(folder.resolve("crashes"), false);
    Path file = crashes.create(OptionalInt.empty());
    assertEquals(1, files());
    crashes.ended(file);
    assertEquals(0, files());
  }

  @Test
  void neitherDoesOneWhoseDaemonWasKilled() throws IOException {
    Path unused = CrashFiles.in(folder.resolve("crashes"), false).create(OptionalInt.empty());
    CrashFiles next = CrashFiles.in(folder.resolve("crashes"), false);
    assertEquals(0, files());
    assertTrue(Files.exists(next.create(OptionalInt.empty())));
  }

  /** The virtual machine takes the place that it is given. */
  @Test
  void aCrashIsWrittenThere() throws Exception {
    CrashFiles crashes = CrashFiles.in(folder.resolve("crashes"), false);
    Path file = crashes.create(OptionalInt.empty());
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path source = folder.resolve("Crash.java");
    Files.writeString(
        source,
        """
        void main() throws Exception {
          new ProcessBuilder("kill", "-SEGV", "" + ProcessHandle.current().pid()).start().waitFor();
          Thread.sleep(60_000);
        }
        """);
    Process crashing =
        new ProcessBuilder(
                java, CrashFiles.option(file), "-XX:-CreateCoredumpOnCrash", source.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertFalse(crashing.waitFor() == 0);
    assertTrue(Files.readString(file).contains("SIGSEGV"));
    try (Stream<Path> all = Files.list(folder)) {
      assertTrue(all.noneMatch(one -> one.getFileName().toString().startsWith("hs_err")));
    }
  }
}
