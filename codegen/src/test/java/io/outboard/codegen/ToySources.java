// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The interfaces of libraries for tests: the toy, which lies in the module that is built after this
 * one, the desk, whose handles are objects of the program, and the lamp, which keeps results.
 */
final class ToySources {
  private static final Path TESTKIT = Path.of("..", "testkit");

  private ToySources() {}

  /** The toy's sources to be compiled into {@code output}. */
  static Compilation compilation(Path output) throws IOException {
    Compilation compilation = new Compilation(output);
    compilation.option("-Aoutboard.symbols=" + TESTKIT.resolve("toy.tsv"));
    for (String name :
        List.of(
            "Toy",
            "ToyAction",
            "ToyBatch",
            "ToyBox",
            "ToyConfig",
            "ToyData",
            "ToyKinds",
            "ToyObject",
            "ToyObjects",
            "ToyPoint",
            "ToyResult",
            "ToyStructures",
            "ToyVersion")) {
      compilation.source(TESTKIT.resolve("src/main/java/io/outboard/testkit/" + name + ".java"));
    }
    return compilation;
  }

  /** The desk's source to be compiled into {@code output}. */
  static Compilation desk(Path output) throws IOException {
    return ofResources("desk", "Desk", output);
  }

  /** The lamp's source to be compiled into {@code output}. */
  static Compilation lamp(Path output) throws IOException {
    return ofResources("lamp", "Lamp", output);
  }

  private static Compilation ofResources(String library, String type, Path output)
      throws IOException {
    Path folder = Path.of("src/test/resources", library);
    Compilation compilation = new Compilation(output);
    compilation.option("-Aoutboard.symbols=" + folder.resolve(library + ".tsv"));
    compilation.source(folder.resolve(type + ".java"));
    return compilation;
  }
}
