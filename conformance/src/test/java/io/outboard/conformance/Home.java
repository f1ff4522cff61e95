// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where things are in the sources and in what was built of them. */
final class Home {
  /** The folder of the repository. */
  static final Path PATH =
      Path.of(System.getProperty("outboard.home", "..")).toAbsolutePath().normalize();

  /** The frontend's libraries. */
  static final Path LIBRARIES = PATH.resolve("frontend/target/lib");

  /** The frontend's tools. */
  static final Path TOOLS = PATH.resolve("frontend/target/bin");

  /** The command's classes, with those that it needs beside them. */
  static final Path COMMAND = PATH.resolve("cli/target/outboard-cli.jar");

  /** The example programs: a folder a kind. */
  static final Path EXAMPLES = PATH.resolve("examples/target");

  /** The programs of {@code conformance/c}. */
  static final Path PROGRAMS = PATH.resolve("conformance/target/programs");

  /** An example that needs no NVIDIA software, and so is there always. */
  static final Path VECTOR_ADD = EXAMPLES.resolve("driver/vectorAdd");

  /** What {@link #VECTOR_ADD} prints on the software GPU. */
  static final String VECTOR_ADD_PASSED =
      "vectorAdd: PASSED on Outboard Software GPU: 50000 elements\n";

  private Home() {}

  /** The folder that the build generates from a library's interface. */
  static Path generated(String library) {
    return PATH.resolve(library + "/target/classes/META-INF/outboard/" + library);
  }

  /** The table of a library's functions that the build generates. */
  static Path coverage(String library) {
    return generated(library).resolve("coverage.md");
  }

  /** Every CUDA example that could be built here. */
  static List<Path> corpus() throws IOException {
    return Stream.concat(
            examples("driver"),
            Stream.concat(examples("runtime-static"), examples("runtime-shared")))
        .toList();
  }

  /** The example programs of a kind that could be built here, in order of name. */
  static Stream<Path> examples(String kind) throws IOException {
    Path folder = EXAMPLES.resolve(kind);
    if (!Files.isDirectory(folder)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isExecutable).sorted().toList().stream();
    }
  }

  /** The class path of the tests, whatever started them. */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** The virtual machine that runs the tests. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
