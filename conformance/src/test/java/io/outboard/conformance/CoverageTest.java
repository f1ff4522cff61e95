// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of coverage is the current one, and what it calls refused is refused. */
final class CoverageTest {
  private static final Path COMMITTED = Home.PATH.resolve("docs/coverage/cuda.md");
  private static final Pattern NAME = Pattern.compile("(?m)^`(cu\\w+)`$");

  @Test
  void theCommittedTableIsTheGeneratedOne() throws IOException {
    Committed.check(COMMITTED, Files.readString(Home.COVERAGE));
  }

  @Test
  void refusedFunctionsReturnNotSupportedAndSayTheirNameOnce()
      throws IOException, InterruptedException {
    List<String> names =
        NAME.matcher(Files.readString(Home.COVERAGE)).results().map(r -> r.group(1)).toList();
    assertTrue(names.size() > 100, () -> names.size() + " names");
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("refused").toString());
    command.addAll(names);
    Program.Ended ended =
        Program.run(command, Map.of("LD_LIBRARY_PATH", Home.LIBRARIES.toString()));
    assertEquals(names.stream().map(n -> n + " 801 801").toList(), ended.output().lines().toList());
    assertEquals(names.size(), ended.errors().lines().count(), ended::errors);
    for (String name : names) {
      assertTrue(Pattern.compile("\\b" + name + "\\b").matcher(ended.errors()).find(), name);
    }
  }
}
