// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of an Android app: its sources, and the classes that the processor adds. */
final class AndroidExampleTest {
  private static final Path SOURCES = Home.PATH.resolve("examples/android/src/main/java/album");
  private static final Path FOLDER;
  private static final OffloadedJar ALBUM;

  static {
    try {
      FOLDER = Folders.make("outboard-android");
      ALBUM = OffloadedJar.of(SOURCES, Files.createDirectory(FOLDER.resolve("jars")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @RegisterExtension
  static final Backend BACKEND =
      new Backend("software", "--offload=" + settings()).withFolder(FOLDER);

  private static Path settings() {
    try {
      return Files.writeString(
          FOLDER.resolve("offload.conf"), "jars jars\nmemory 256\noperator " + ALBUM.digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void itUsesNothingThatAndroidLacks() throws Exception {
    assertEquals("", AndroidSignatures.missing(ALBUM.classes(), OffloadedJar.CLIENT));
  }

  /** The check sees what is missing: {@code Path.of} came with level 34. */
  @Test
  void whatIsMissingIsSeen() throws Exception {
    Path sources = Files.createDirectories(FOLDER.resolve("newer"));
    Files.writeString(
        sources.resolve("Newer.java"),
        "final class Newer { Object path = java.nio.file.Path.of(\"x\"); }");
    OffloadedJar newer = OffloadedJar.of(sources, FOLDER.resolve("made"));
    String missing = AndroidSignatures.missing(newer.classes(), List.of());
    assertTrue(missing.contains("Path.of"), missing);
  }

  @Test
  void itsMethodsRunOnABackendThatHasItsJar() throws Exception {
    Program.Ended ended =
        Program.run(
            List.of(
                Home.java(),
                "-cp",
                OffloadedJar.path(OffloadedJar.CLIENT) + ":" + ALBUM.file(),
                "album.Main",
                BACKEND.tcp(),
                BACKEND.tokenFile().toString(),
                ALBUM.digest()),
            Map.of());
    assertEquals("sharp is the sharpest\n", ended.output(), ended::toString);
    assertTrue(BACKEND.log().contains(": album of " + ALBUM.digest()), BACKEND.log());
  }
}
