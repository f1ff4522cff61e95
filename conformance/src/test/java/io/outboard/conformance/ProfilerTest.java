// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A profiler in the program's process sees what the device does, and whose work it is. */
final class ProfilerTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> seesTheDevice() throws IOException {
    return Cases.overAll(
        BACKEND,
        "profiler",
        "names",
        "records",
        "largeCopies",
        "pageLocked",
        "ticks",
        "graphs",
        "threads",
        "runtime",
        "choices",
        "drops",
        "manyTimes",
        "callbacks",
        "graphTrace",
        "waits",
        "overheads",
        "ranges");
  }

  /** Each begin of a profiler begins as the first one did, and each launch has its record. */
  @ParameterizedTest
  @ValueSource(strings = {"manyTimes", "many"})
  void nothingIsLostHoweverMuchThereIs(String what) throws IOException, InterruptedException {
    int times = what.equals("many") ? Amount.of(20_000, 1_000_000) : Amount.of(100, 1_000);
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.put("TIMES", Integer.toString(times));
    String program = Home.PROGRAMS.resolve("profiler").toString();
    Program.Ended ended = Program.run(List.of(program, what), variables, Duration.ofMinutes(10));
    assertEquals("ok\n", ended.output(), ended::errors);
  }

  /** A kernel lies within its launch and the flush, however long bytes are under way. */
  @Test
  void aSlowLinkChangesNoOrder() throws IOException, InterruptedException {
    try (Proxy line = Proxy.late(BACKEND.tcp(), Duration.ofMillis(15))) {
      String program = Home.PROGRAMS.resolve("profiler").toString();
      Program.Ended ended =
          Program.run(
              List.of(program, "records", "graphs", "ticks", "waits", "threads"),
              BACKEND.variables(line.endpoint()));
      assertEquals("ok\n".repeat(5), ended.output(), ended::errors);
      assertEquals("", ended.errors());
    }
  }

  /** A program takes what is loaded before what it names by a path of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "0"})
  void isLoadedBeforeThePrograms(String wanted) throws IOException, InterruptedException {
    String run = Home.TOOLS.resolve("outboard-run").toString();
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.put("OUTBOARD_PROFILERS", wanted);
    Program.Ended ended = Program.run(List.of(run, "--", "cat", "/proc/self/maps"), variables);
    List<String> loaded =
        Stream.of("libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8")
            .filter(name -> ended.output().contains("/" + name + "\n"))
            .toList();
    assertEquals(wanted.equals("1") ? 3 : 0, loaded.size(), ended::output);
    assertEquals("", ended.errors());
  }

  /** Each version of CUDA asks by a name of its own, and some programs by none. */
  @ParameterizedTest
  @ValueSource(strings = {"libcupti.so.12", "libcupti.so.11.8", "libcupti.so"})
  void hasTheNamesThatProgramsAskFor(String library) throws IOException, InterruptedException {
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.put("CUPTI_LIBRARY", library);
    String program = Home.PROGRAMS.resolve("profiler").toString();
    Program.Ended ended = Program.run(List.of(program, "names", "records"), variables);
    assertEquals("ok\nok\n", ended.output(), ended::errors);
    assertEquals("", ended.errors());
  }
}
