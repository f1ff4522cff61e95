// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Outboard is transparent: the backend asks the driver for the same things as the program, and gets
 * the same answers, call by call, with all arguments and results.
 */
final class CallLogTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** Examples that are run in each build: one of each kind of work. */
  private static final Set<String> FEW =
      Set.of(
          "vectorAdd",
          "threads",
          "perThread",
          "graphs",
          "copies3D",
          "symbols",
          "handover",
          "managed");

  /** Beside the examples: programs that do nothing wrong, some with several threads. */
  private static final List<List<String>> CASES =
      List.of(
          List.of("transfer", "sizes"),
          List.of("transfer", "source-in-order"),
          List.of("transfer", "target-in-order"),
          List.of("transfer", "freed"),
          List.of("transfer", "threads"),
          List.of("state", "many-contexts"),
          List.of("state", "own-stream"),
          List.of("state", "other-threads-stream"),
          List.of("nodes", "values"),
          List.of("steady", "2"));

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> bothLogsOfARunAreEqual() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path program : Home.corpus()) {
      if (Amount.isLong() || FEW.contains(program.getFileName().toString())) {
        addAll(tests, List.of(program.toString()));
      }
    }
    for (List<String> words : CASES) {
      addAll(tests, List.of(Home.PROGRAMS.resolve(words.getFirst()).toString(), words.getLast()));
    }
    return tests.stream();
  }

  /** Over every communicator; in each build the programs take turns with them. */
  private void addAll(List<DynamicTest> tests, List<String> program) {
    List<String> endpoints = BACKEND.endpoints();
    List<String> now =
        Amount.isLong() ? endpoints : List.of(endpoints.get(tests.size() % endpoints.size()));
    now.forEach(endpoint -> tests.add(test(program, endpoint)));
  }

  private DynamicTest test(List<String> program, String endpoint) {
    String words = String.join(" ", program).replaceFirst(".*/", "");
    String name = words + " over " + endpoint.replaceFirst(":.*", "");
    return dynamicTest(name, () -> check(program, endpoint));
  }

  private void check(List<String> program, String endpoint)
      throws IOException, InterruptedException {
    Path log = Files.createTempDirectory(folder, "run").resolve("calls");
    Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
    variables.put("OUTBOARD_LOG", log.toString());
    Program.Ended ended = Program.run(program, variables);
    assertTrue(ended.errors().matches(CorpusTest.messages(ended)), ended::toString);
    Map<Long, String> programs = lines(log);
    Map<Long, String> drivers = lines(log.resolveSibling("calls.backend"));
    assertFalse(drivers.isEmpty());
    assertEquals(text(reached(programs, drivers)), text(drivers));
  }

  private static Map<Long, String> lines(Path log) throws IOException {
    Map<Long, String> lines = new TreeMap<>();
    for (String line : Files.readAllLines(log)) {
      String before = lines.put(Long.valueOf(line.substring(0, line.indexOf(' '))), line);
      assertTrue(before == null, line);
    }
    return lines;
  }

  /** A call that the backend refuses does not reach the driver; it must have failed. */
  private static Map<Long, String> reached(Map<Long, String> programs, Map<Long, String> drivers) {
    Map<Long, String> reached = new TreeMap<>(programs);
    reached
        .entrySet()
        .removeIf(call -> !drivers.containsKey(call.getKey()) && failed(call.getValue()));
    return reached;
  }

  private static boolean failed(String line) {
    return line.matches(".*\\) = -?[1-9][0-9]*");
  }

  private static String text(Map<Long, String> lines) {
    return String.join("\n", lines.values());
  }

  /** Where several processes run, one may have taken the name without a number before. */
  @Test
  void bothLogsOfAProcessHaveItsNumber() throws IOException, InterruptedException {
    Path log = Files.createFile(folder.resolve("taken"));
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.put("OUTBOARD_LOG", log.toString());
    Program.run(List.of(Home.PROGRAMS.resolve("steady").toString(), "1"), variables);
    try (Stream<Path> files = Files.list(folder)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString().replaceAll("[0-9]+", "N"))
              .filter(name -> name.startsWith("taken"))
              .sorted()
              .toList();
      assertEquals(List.of("taken", "taken.N", "taken.N.backend"), names);
    }
  }

  @Test
  void onlyAFailedCallMayBeMissing() {
    Map<Long, String> programs = Map.of(1L, "1 1 f(a=1) = 0", 2L, "2 1 g(a=2) = 400");
    assertEquals(programs, reached(programs, programs));
    assertEquals(Map.of(1L, "1 1 f(a=1) = 0"), reached(programs, Map.of()));
  }

  @Test
  void theCommandWritesBoth() throws Exception {
    Launcher outboard = new Launcher(folder);
    Path log = folder.resolve("log");
    Program.Ended ended =
        outboard.run(
            "run",
            "--on",
            "unix:" + BACKEND.socket(),
            "--log",
            log.toString(),
            "--",
            Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
    String line = "cuMemAlloc_v2\\(pointer=\\*, bytes=200000\\) = 0 pointer=0x[0-9a-f]+";
    for (String file : List.of("log", "log.backend")) {
      String text = Files.readString(folder.resolve(file));
      assertTrue(text.lines().anyMatch(one -> one.matches("\\d+ 1 " + line)), text);
    }
  }
}
