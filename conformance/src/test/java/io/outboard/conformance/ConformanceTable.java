// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The committed table of which example program passes over which communicator. A run fills in what
 * it has run and keeps the rest, as programs of the runtime API need clang and a CUDA toolkit, and
 * the guest is one of the long tests.
 */
final class ConformanceTable {
  private static final Path FILE = Home.PATH.resolve("docs/conformance/cuda-software.md");
  private static final List<String> COLUMNS = List.of("shm", "unix", "tcp", "guest");
  private static final String NOT_RUN = "not run";

  /** The outcome of what went wrong. */
  static final String FAILED = "failed";

  /** The outcome of a program that its device lets down. */
  static final String REFUSED = "refused";

  /** The status of a program whose device says that it lacks what the program shows. */
  private static final int UNSUPPORTED = 77;

  private static final String HEAD =
      """
      # CUDA programs on the software GPU

      Which program of `examples/cuda` passes over which communicator; `guest` is TCP out of a virtual machine that has nothing but the
      client's tarball, and runs each program once (what has a shared runtime differs in how it is linked). *Refused* is what a device says that it
      lacks there (see `docs/coverage/cuda.md`). The tests of `conformance` fail if this is not what they see. Written anew by
      `./mvnw -D%s=true -Dlong verify`.

      """
          .formatted(Committed.UPDATE);

  private final Map<String, List<String>> rows = new TreeMap<>();

  private ConformanceTable() throws IOException {
    List<String> nothing = COLUMNS.stream().map(_ -> NOT_RUN).toList();
    programs().forEach(program -> rows.put(program, new ArrayList<>(nothing)));
    if (Files.exists(FILE)) {
      Files.readAllLines(FILE).forEach(this::take);
    }
  }

  /**
   * Compares the committed table with what was seen, or writes it.
   *
   * @param seen outcomes, by program and communicator
   */
  static synchronized void check(Map<String, Map<String, String>> seen) throws IOException {
    ConformanceTable table = new ConformanceTable();
    seen.forEach(
        (program, outcomes) ->
            outcomes.forEach((column, outcome) -> table.set(program, column, outcome)));
    Committed.check(FILE, table.text());
  }

  /** The outcome of a program, by its exit status. */
  static String outcome(int status) {
    return switch (status) {
      case 0 -> "passed";
      case UNSUPPORTED -> REFUSED;
      default -> FAILED;
    };
  }

  /** Every program that there are sources of, built or not. */
  private static List<String> programs() throws IOException {
    Path sources = Home.PATH.resolve("examples/cuda");
    List<String> programs = new ArrayList<>(names(sources.resolve("driver"), ".c", "driver/"));
    programs.addAll(names(sources, ".cu", "runtime-shared/"));
    programs.addAll(names(sources, ".cu", "runtime-static/"));
    return programs;
  }

  private static List<String> names(Path folder, String ending, String kind) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .map(name -> kind + name.substring(0, name.length() - ending.length()))
          .toList();
    }
  }

  private void take(String line) {
    List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    if (cells.size() == COLUMNS.size() + 3 && rows.containsKey(cells.get(1))) {
      rows.put(cells.get(1), new ArrayList<>(cells.subList(2, 2 + COLUMNS.size())));
    }
  }

  private void set(String program, String column, String outcome) {
    rows.get(program).set(COLUMNS.indexOf(column), outcome);
  }

  private String text() {
    return HEAD
        + line("program", COLUMNS)
        + line("---", COLUMNS.stream().map(_ -> "---").toList())
        + rows.entrySet().stream()
            .map(row -> line(row.getKey(), row.getValue()))
            .collect(Collectors.joining());
  }

  private static String line(String first, List<String> cells) {
    return "| %s | %s |%n".formatted(first, String.join(" | ", cells));
  }
}
