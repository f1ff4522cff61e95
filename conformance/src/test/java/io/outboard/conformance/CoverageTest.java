// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of coverage are the current ones, and what they call refused is refused. */
final class CoverageTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final Pattern NAME = Pattern.compile("(?m)^`(\\w+)`$");

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "nvml", "opencl", "cupti", "gl"})
  void theCommittedTableIsTheGeneratedOne(String library) throws IOException {
    Committed.check(
        Home.PATH.resolve("docs/coverage/" + library + ".md"),
        Files.readString(Home.coverage(library)));
  }

  @ParameterizedTest
  @CsvSource({
    "cuda, libcuda.so.1, 801, 100",
    "nvml, libnvidia-ml.so.1, 3, 100",
    "opencl, opencl/libOpenCL.so.1, -59, 10",
    "cupti, libcupti.so.13, 27, 100"
  })
  void refusedFunctionsReturnNotSupportedAndSayTheirNameOnce(
      String library, String file, String result, int least)
      throws IOException, InterruptedException {
    List<String> names =
        NAME.matcher(functions(Files.readString(Home.coverage(library))))
            .results()
            .map(r -> r.group(1))
            .toList();
    assertTrue(names.size() > least, () -> names.size() + " names");
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("refused").toString());
    command.add(Home.LIBRARIES.resolve(file).toString());
    command.addAll(names);
    Program.Ended ended = Program.run(command, BACKEND.variables(BACKEND.endpoints().getFirst()));
    assertEquals(
        names.stream().map(n -> n + " " + result + " " + result).toList(),
        ended.output().lines().toList());
    assertEquals(names.size(), ended.errors().lines().count(), ended::errors);
    for (String name : names) {
      assertTrue(Pattern.compile("\\b" + name + "\\b").matcher(ended.errors()).find(), name);
    }
  }

  /** The debugger's interface refuses in its own way: {@link DebuggerTest}. */
  private static String functions(String table) {
    int debugger = table.indexOf("\n## Debugger");
    return debugger < 0 ? table : table.substring(0, debugger);
  }
}
