// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;

/** Libraries in the place of a vendor's, in a folder, and the processes that load them. */
public final class StandIn {
  private final Path folder;

  public StandIn(Path folder) {
    this.folder = folder;
  }

  /** A file of the folder. */
  public String file(String name) {
    return folder.resolve(name).toString();
  }

  /** Builds a library from C. */
  public void library(String name, String text) throws Exception {
    Path source = folder.resolve(name + ".c");
    Files.writeString(source, text);
    assertEquals(
        0,
        new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", file(name), source.toString())
            .inheritIO()
            .start()
            .waitFor());
  }

  /** A process of a main class, which finds these libraries. */
  public ProcessBuilder process(Class<?> main) {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
