// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;

/**
 * The machine and the date of a measurement.
 *
 * @param processor the processor's name
 * @param cores how many of them this process may use
 * @param kernel the kernel's release
 * @param java the version of the virtual machine
 * @param date the day, UTC
 */
public record Machine(String processor, int cores, String kernel, String java, String date) {

  /**
   * This machine, today.
   *
   * @throws IOException if the kernel does not describe its processors
   */
  public static Machine current() throws IOException {
    return new Machine(
        processorName(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.version"),
        Runtime.version().toString(),
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  private static String processorName() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.replaceFirst(".*: *", ""))
          .findFirst()
          .orElse("unknown processor");
    }
  }

  @Override
  public String toString() {
    return "%s, %d cores, Linux %s, Java %s, %s".formatted(processor, cores, kernel, java, date);
  }
}
