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
 * The text of each output for the toy library. {@code -Dgolden.update=true} rewrites the expected
 * files, to be reviewed by eye.
 */
class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  @TempDir private static Path output;

  private static Map<String, String> files;

  @BeforeAll
  static void generate() throws IOException {
    Compilation compilation = ToySources.compilation(output).run();
    assertEquals(List.of(), compilation.errors());
    files = compilation.files();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "toy.h",
        "toy.remote.h",
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
        "ToyRemote.java"
      })
  void isAsReviewed(String name) throws IOException {
    Path golden = GOLDEN.resolve(name + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, files.get(name));
    }
    assertEquals(Files.readString(golden), files.get(name));
  }

  @Test
  void nothingElseIsGenerated() {
    assertEquals(14, files.size(), () -> files.keySet().toString());
  }
}
