// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the documents with the code. */
final class ReadmeTest {
  private static final Path README = Home.PATH.resolve("README.md");
  private static final Pattern TABLE =
      Pattern.compile("(?s)(<!-- coverage -->\n)(.*?)(<!-- /coverage -->)");

  /** How the first program is built, run, and what it prints then. */
  private static final Pattern SESSION =
      Pattern.compile(
          "(?s)\\$ (gcc deviceCount\\.c [^\n]*)\n.*?\\$ (outboard run [^\n]*)\n([^\n]*\n)```");

  @Test
  void theReadmeHasTheGeneratedTable() throws IOException {
    String expected =
        String.join(
                "\n",
                Files.readAllLines(Home.coverage("cuda")).stream()
                    .dropWhile(line -> !line.startsWith("|"))
                    .takeWhile(line -> line.startsWith("|"))
                    .toList())
            + "\n";
    String readme = Files.readString(README);
    Matcher table = TABLE.matcher(readme);
    assertTrue(table.find(), "the README has no table between its marks");
    String replacement = "$1" + Matcher.quoteReplacement(expected) + "$3";
    Committed.check(README, table.replaceFirst(replacement));
  }

  @Test
  void theFirstProgramPrintsWhatTheReadmeSays(@TempDir Path home) throws Exception {
    String readme = Files.readString(README);
    Path source = Home.PATH.resolve("examples/deviceCount.c");
    String program = Files.readString(source);
    String shown = program.substring(program.indexOf("#include"));
    assertTrue(readme.contains("```c\n" + shown + "```"), "the README shows another program");
    assumeTrue(Files.exists(Path.of("/usr/local/cuda/include/cuda_runtime_api.h")), "no CUDA here");
    Files.copy(source, home.resolve("deviceCount.c"));
    Matcher session = SESSION.matcher(readme);
    assertTrue(session.find(), "the README does not run its program");
    Program.Ended ended =
        new Launcher(home)
            .type(
                "PATH=$PWD:$PATH\n%s\n%s".formatted(session.group(1), session.group(2)),
                Duration.ofMinutes(1));
    assertEquals(new Program.Ended(0, session.group(3), ""), ended);
  }

  /** Somebody who reads no more than this has both commands, and what they need. */
  @ParameterizedTest
  @ValueSource(strings = {"demo", "test"})
  void theReadmeNamesTheCommandsThatAlwaysWork(String command) throws IOException {
    String start = section(Files.readString(README), "Two minutes");
    assertTrue(start.contains("\n./outboard " + command + "\n"), start);
    assertTrue(start.contains("| `./outboard " + command + "` | "), start);
    for (String tool : List.of("JDK 25", "Maven", "gcc", "make")) {
      assertTrue(start.contains(tool), tool);
    }
  }

  private static String section(String document, String title) {
    String text = document.substring(document.indexOf("\n## " + title + "\n") + 1);
    return text.substring(0, text.indexOf("\n## ") + 1);
  }

  @Test
  void linksOfTheDocumentsLeadSomewhere() throws IOException {
    Documents.check(Home.PATH.resolve("docs"), 12);
    for (String name : List.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "PROTOCOL.md")) {
      Documents.check(Home.PATH.resolve(name));
    }
  }
}
