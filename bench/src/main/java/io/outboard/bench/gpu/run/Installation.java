// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.nio.file.Path;

/**
 * Where the things are that the benchmark runs, in the sources or in the server's tarball.
 *
 * @param launcher the {@code outboard} command
 * @param runner {@code outboard-run}
 * @param programs the folder of the programs and scripts that are measured
 */
public record Installation(Path launcher, Path runner, Path programs) {

  /** As the launcher says in properties. */
  public static Installation ofThisProcess() {
    return new Installation(
        property("outboard.launcher"),
        property("outboard.tools").resolve("outboard-run"),
        property("outboard.programs"));
  }

  private static Path property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("started without the property " + name);
    }
    return Path.of(value);
  }

  String program(String name) {
    return programs.resolve(name).toString();
  }
}
