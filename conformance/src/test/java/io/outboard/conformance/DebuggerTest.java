// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Debuggers and other tools that follow kernels are told that they cannot; the program runs on. */
final class DebuggerTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** All that the vendor's library has for debuggers. */
  private static final int SYMBOLS = 33;

  @Test
  void theInterfaceIsThereAndRefusesWithItsOwnErrorAndSaysSoOnce()
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("call"));
    words.addAll(symbols());
    assertEquals(1 + SYMBOLS, words.size());
    Program.Ended ended = run(words, Map.of());
    assertEquals("19 1 19 1\n", ended.output());
    saysOnce(ended, "cuda-gdb");
  }

  @Test
  void aDebuggerThatAttachesIsToldSoOnce() throws IOException, InterruptedException {
    Program.Ended ended = run(List.of("attach"), Map.of());
    assertEquals("0 0\n", ended.output());
    saysOnce(ended, "cuda-gdb");
  }

  @Test
  void aToolThatWouldBeInjectedIsToldSoOnce() throws IOException, InterruptedException {
    for (String variable : List.of("CUDA_INJECTION64_PATH", "NV_SANITIZER_INJECTION_PORT_BASE")) {
      Program.Ended ended = run(List.of("inject"), Map.of(variable, "49152"));
      assertEquals("0 0\n", ended.output());
      saysOnce(ended, variable);
      assertTrue(ended.errors().contains("compute-sanitizer"), ended::errors);
    }
  }

  private static Program.Ended run(List<String> words, Map<String, String> more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("debugger").toString());
    command.addAll(words);
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.putAll(more);
    return Program.run(command, variables);
  }

  private static void saysOnce(Program.Ended ended, String what) {
    assertEquals(1, ended.errors().lines().count(), ended::errors);
    assertTrue(
        ended.errors().contains(what) && ended.errors().contains("machine with the GPU"),
        ended::errors);
  }

  private static List<String> symbols() throws IOException {
    return Files.readAllLines(Home.PATH.resolve("cuda/symbols.tsv")).stream()
        .filter(line -> line.contains("\tdebugger\t"))
        .map(line -> line.substring(0, line.indexOf('\t')))
        .toList();
  }
}
