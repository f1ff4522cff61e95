// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the page about security with the tests that it names. */
final class SecurityTest {
  private static final Path PAGE = Home.PATH.resolve("SECURITY.md");
  private static final String TABLE = "## What a stranger sends\n";
  private static final String RULE = "|---";
  private static final int CELLS = 4;
  private static final int LEAST_ROWS = 12;
  private static final Pattern PLAIN = Pattern.compile("\\bgetenv\\(");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

  /** The cells of each row. */
  private static List<List<String>> rows() throws IOException {
    String page = Files.readString(PAGE);
    assertTrue(page.contains(TABLE), "there is no table");
    List<String> lines =
        page.substring(page.indexOf(TABLE) + TABLE.length())
            .lines()
            .dropWhile(line -> !line.startsWith(RULE))
            .skip(1)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    return lines.stream()
        .map(line -> line.substring(1, line.lastIndexOf('|')))
        .map(line -> Stream.of(line.split("\\|", -1)).map(String::strip).toList())
        .toList();
  }

  private static List<MatchResult> tests(String text) {
    return TEST.matcher(text).results().toList();
  }

  /** The starter of a set-id program sets its variables, some of which name files to write. */
  @Test
  void noVariableSteersTheRuntimeOfASetIdProgram() throws IOException {
    try (Stream<Path> files = Files.walk(Home.PATH.resolve("frontend/runtime"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".c")).toList()) {
        assertFalse(PLAIN.matcher(Files.readString(file)).find(), file::toString);
      }
    }
  }

  @Test
  void eachRowNamesAReaderAConfinementAndATest() throws IOException {
    List<List<String>> rows = rows();
    assertTrue(rows.size() >= LEAST_ROWS, rows::toString);
    for (List<String> row : rows) {
      assertEquals(CELLS, row.size(), row::toString);
      assertTrue(row.stream().noneMatch(String::isEmpty), row::toString);
      assertTrue(!tests(row.getLast()).isEmpty(), () -> "no test: " + row);
    }
  }

  @Test
  void eachLibraryHasARow() throws IOException {
    String sent = String.join("\n", rows().stream().map(List::getFirst).toList());
    for (String module : List.of("cuda", "nvml", "opencl", "cupti", "gl")) {
      assertTrue(sent.contains("`" + module + "`"), module);
    }
    assertEquals(5, services(), "a library of the backend is not in this test, and has no row");
  }

  private static long services() throws IOException {
    Path named =
        Home.PATH.resolve(
            "backend/src/main/resources/META-INF/services/io.outboard.backend.library"
                + ".LibraryService");
    return Files.readAllLines(named).stream().filter(line -> !line.isBlank()).count();
  }

  /** Everywhere on the page: with its method, where that is named. */
  @Test
  void eachTestOfThePageIsThere() throws IOException {
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    for (MatchResult test : tests(Files.readString(PAGE))) {
      String source = sources.getOrDefault(test.group(1), "");
      String method = test.group(2);
      if (source.isEmpty() || (method != null && !source.contains("void " + method + "("))) {
        missing.add(test.group());
      }
    }
    assertEquals(List.of(), missing);
  }

  /** Tests of one name, in several modules, are one text here. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(Home.PATH)) {
      for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          addSources(sources, tests);
        }
      }
    }
    return sources;
  }

  private static void addSources(Map<String, String> sources, Path tests) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      for (Path file : files.filter(one -> one.toString().endsWith("Test.java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
  }
}
