// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The C programs of the benchmark, built by its makefile. */
final class Programs {
  private final Path folder;
  private final Path libraries;

  Programs(Path home) {
    folder = home.resolve("bench/target/c");
    libraries = home.resolve("frontend/target/lib");
  }

  Figures pingPong(Medium medium, long gap, int count) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                folder.resolve("pingpong").toString(),
                medium.toString(),
                Long.toString(gap),
                Integer.toString(count))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      return Figures.parse(out.readLine());
    } finally {
      process.waitFor();
    }
  }

  /** The program that calls, up to where its warm-up is over. */
  GatedProgram calls(String endpoint, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve("calls").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("OUTBOARD", endpoint);
    builder.environment().put("OUTBOARD_SHM", endpoint.startsWith("shm") ? "1" : "0");
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    return new GatedProgram(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }
}
