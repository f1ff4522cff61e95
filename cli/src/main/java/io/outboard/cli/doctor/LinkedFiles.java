// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Which libraries a program would load, asked of the dynamic linker that would load them.
 *
 * @param files by the name that is asked for, the file, or null where there is none
 * @param complaints what else the linker misses, such as versions of the C library
 */
record LinkedFiles(Map<String, Path> files, List<String> complaints) {
  private static final long LIMIT_SECONDS = 20;
  private static final String VARIABLE = "LD_LIBRARY_PATH";

  /**
   * Asks; the program itself is not run.
   *
   * @param libraries the folder that is searched first, unless LD_LIBRARY_PATH has it already: the
   *     shell is one of {@code outboard env} then, whose programs search as that says
   */
  static LinkedFiles of(String interpreter, Path program, Path libraries) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(interpreter, program.toAbsolutePath().toString())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    // ld.so(8): with this, as ldd asks, it goes on where a library is missing; with --list it ends.
    builder.environment().put("LD_TRACE_LOADED_OBJECTS", "1");
    builder.environment().put(VARIABLE, searchPath(libraries));
    Process process = builder.start();
    String listing = new String(process.getInputStream().readAllBytes(), UTF_8);
    await(process);
    return parse(listing);
  }

  /** The folders that are searched before the machine's own. */
  static String searchPath(Path libraries) {
    return searchPath(libraries, System.getenv().getOrDefault(VARIABLE, ""));
  }

  static String searchPath(Path libraries, String before) {
    boolean there = Stream.of(before.split(":", -1)).anyMatch(libraries.toString()::equals);
    if (there) {
      return before;
    }
    return before.isEmpty() ? libraries.toString() : libraries + ":" + before;
  }

  private static void await(Process process) throws IOException {
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the dynamic linker does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Takes {@code name => file (address)} and {@code name => not found} from a listing. */
  static LinkedFiles parse(String listing) {
    Map<String, Path> files = new LinkedHashMap<>();
    listing
        .lines()
        .map(String::strip)
        .filter(line -> line.contains(" => "))
        .forEach(line -> put(files, line.split(" => ", 2)));
    return new LinkedFiles(files, listing.lines().filter(LinkedFiles::isComplaint).toList());
  }

  private static boolean isComplaint(String line) {
    return line.contains(": version `") && line.contains("' not found");
  }

  private static void put(Map<String, Path> files, String[] parts) {
    boolean missing = parts[1].startsWith("not found");
    files.put(parts[0], missing ? null : Path.of(parts[1].replaceFirst(" \\(0x[0-9a-f]+\\)$", "")));
  }
}
