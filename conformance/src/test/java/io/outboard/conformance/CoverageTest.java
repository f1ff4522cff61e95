// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of coverage are the current ones, and what they call refused is refused. */
final class CoverageTest {
  private static final Pattern NAME = Pattern.compile("(?m)^`(\\w+)`$");

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "nvml"})
  void theCommittedTableIsTheGeneratedOne(String library) throws IOException {
    Committed.check(
        Home.PATH.resolve("docs/coverage/" + library + ".md"),
        Files.readString(Home.coverage(library)));
  }

  @ParameterizedTest
  @CsvSource({"cuda, libcuda.so.1, 801", "nvml, libnvidia-ml.so.1, 3"})
  void refusedFunctionsReturnNotSupportedAndSayTheirNameOnce(
      String library, String file, String result) throws IOException, InterruptedException {
    List<String> names =
        NAME.matcher(Files.readString(Home.coverage(library)))
            .results()
            .map(r -> r.group(1))
            .toList();
    assertTrue(names.size() > 100, () -> names.size() + " names");
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("refused").toString());
    command.add(file);
    command.addAll(names);
    Program.Ended ended =
        Program.run(command, Map.of("LD_LIBRARY_PATH", Home.LIBRARIES.toString()));
    assertEquals(
        names.stream().map(n -> n + " " + result + " " + result).toList(),
        ended.output().lines().toList());
    assertEquals(names.size(), ended.errors().lines().count(), ended::errors);
    for (String name : names) {
      assertTrue(Pattern.compile("\\b" + name + "\\b").matcher(ended.errors()).find(), name);
    }
  }
}
