// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A way to run a program: with the driver of this machine, or with Outboard in its place.
 *
 * @param name as the tables have it
 * @param prefix what goes before the program on the command line
 * @param environment variables that are added
 */
public record Way(String name, List<String> prefix, Map<String, String> environment) {
  /** The name of the way that the others are compared with. */
  public static final String NATIVE = "native";

  /** The program as it is. */
  public static Way plain() {
    return new Way(NATIVE, List.of(), Map.of());
  }

  /**
   * Through Outboard.
   *
   * @param runner {@code outboard-run}
   * @param shared whether the two sides may share memory; without it a Unix socket carries
   *     everything
   */
  public static Way remote(String name, Path runner, String endpoint, boolean shared) {
    return new Way(
        name,
        List.of(runner.toString(), "--on", endpoint, "--"),
        Map.of("OUTBOARD_SHM", shared ? "1" : "0"));
  }

  boolean isNative() {
    return name.equals(NATIVE);
  }

  List<String> commandLine(List<String> program) {
    return Stream.concat(prefix.stream(), program.stream()).toList();
  }
}
