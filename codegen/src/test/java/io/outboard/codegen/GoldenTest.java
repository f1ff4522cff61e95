// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The text of each output for the toy library, and of those for the desk and the lamp that are of
 * another shape. {@code -Dgolden.update=true} rewrites the expected files, to be reviewed by eye.
 */
class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  @TempDir private static Path output;
  @TempDir private static Path deskOutput;
  @TempDir private static Path lampOutput;

  private static Map<String, String> files;
  private static Map<String, String> deskFiles;
  private static Map<String, String> lampFiles;

  @BeforeAll
  static void generate() throws IOException {
    Compilation compilation = ToySources.compilation(output).run();
    assertEquals(List.of(), compilation.errors());
    files = compilation.files();
    Compilation desk = ToySources.desk(deskOutput).run();
    assertEquals(List.of(), desk.errors());
    deskFiles = desk.files();
    Compilation lamp = ToySources.lamp(lampOutput).run();
    assertEquals(List.of(), lamp.errors());
    lampFiles = lamp.files();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "toy.h",
        "toy.remote.h",
        "functions.h",
        "stubs.c",
        "symbols.c",
        "exports.map",
        "coverage.md",
        "ToyTable.java",
        "ToyBodies.java",
        "ToyForwarding.java",
        "ToyLogged.java",
        "ToyTopics.java",
        "ToyDispatcher.java",
        "ToyNative.java",
        "ToyRemote.java",
        "ToyRouted.java"
      })
  void isAsReviewed(String name) throws IOException {
    check(GOLDEN.resolve(name + ".txt"), files.get(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "desk.h",
        "desk.remote.h",
        "stubs.c",
        "symbols.c",
        "exports.map",
        "coverage.md",
        "DeskDispatcher.java",
        "DeskMetered.java",
        "DeskNative.java"
      })
  void ofTheDeskIsAsReviewed(String name) throws IOException {
    check(GOLDEN.resolve("desk").resolve(name + ".txt"), deskFiles.get(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lamp.h",
        "lamp.remote.h",
        "stubs.c",
        "symbols.c",
        "LampDispatcher.java",
        "LampNative.java"
      })
  void ofTheLampIsAsReviewed(String name) throws IOException {
    check(GOLDEN.resolve("lamp").resolve(name + ".txt"), lampFiles.get(name));
  }

  private static void check(Path golden, String text) throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, text);
    }
    assertEquals(Files.readString(golden), text);
  }

  @Test
  void nothingElseIsGenerated() {
    assertEquals(16, files.size(), () -> files.keySet().toString());
  }
}
