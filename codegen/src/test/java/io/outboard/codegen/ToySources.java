// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The interfaces of two libraries for tests: the toy, which lies in the module that is built after
 * this one, and the desk, whose handles are objects of the program.
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
    Path desk = Path.of("src/test/resources/desk");
    Compilation compilation = new Compilation(output);
    compilation.option("-Aoutboard.symbols=" + desk.resolve("desk.tsv"));
    compilation.source(desk.resolve("Desk.java"));
    return compilation;
  }
}
