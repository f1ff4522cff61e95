// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The toy library's interface, which lies in the module that is built after this one. */
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
}
