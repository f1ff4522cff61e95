// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.conformance.AnswerDifferences.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random programs of valid and invalid calls, from one to three threads, are answered on the
 * software GPU as a real GPU's driver answered them, and leave the same memory: but for differences
 * that a list names.
 */
final class SequencesTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final Path FOLDER = Home.PATH.resolve("conformance/answers");
  private static final Path RECORD = FOLDER.resolve("sequences-h200-580.159.04.txt");
  private static final Path LIST = FOLDER.resolve("sequences-software.txt");
  private static final Path PAGE = Home.PATH.resolve("docs/conformance/sequences.md");
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** How often a difference comes again before it counts. */
  private static final int RUNS = 2;

  @SuppressWarnings("InlineFormatString") // It is the page.
  private static final String HEAD =
      """
      # Random programs, on a driver and through Outboard

      `conformance/c/sequences` makes programs of seeds: 20 to 60 valid and invalid calls about
      streams, captures, events, graphs, memory, pools and modules, from one to three threads. An
      H200's driver answered %d of them, whose answers are in
      `conformance/answers/sequences-h200-580.159.04.txt`. On the software GPU over shared memory
      **%d (%d %%)** of these have the same answers and leave the same memory. In the others the first
      difference is one of these (the list is `conformance/answers/sequences-software.txt`):

      | kind | differences | for example: call, driver's answer, ours |
      |---|---|---|
      %s
      That H200 has answered 7,477 of 10,000 such programs. On 2026-11-28 the software GPU differed in
      pools of managed memory, which it has not; in three programs whose driver told the flags of
      page-locked memory that lies beside the one that was asked about; and in one that captured a fill of
      memory that is not there, which the driver takes. Those that had shown something else are in the
      record.

      On an H200 itself (2026-11-28) 8,856 of 10,000 programs have a native answer. Over TCP 8,853 of
      them were answered in the same way, and over shared memory 8,107 of the 8,111 that there was time
      for. Three that differ are the same both times: they ask for the flags of page-locked memory that
      lies beside another one. The fourth was cut by the end of the run. No worker ended.

      `conformance/answers/shrink` finds the smallest part of a program that two drivers answer in
      different ways. Written anew by `./mvnw -D%s=true verify`.
      """;

  @Test
  void programsAreAnsweredAsListed() throws Exception {
    SortedMap<Integer, Sequences.Program> driver = Sequences.record(Files.readAllLines(RECORD));
    assertTrue(driver.size() > 200, () -> "few programs: " + driver.size());
    SortedMap<Integer, String> seen = differences(driver, run());
    if (Boolean.getBoolean(Committed.UPDATE)) {
      write(driver, seen);
    }
    Set<String> listed = new HashSet<>(Files.readAllLines(LIST));
    seen.values().removeAll(listed);
    for (int i = 0; i < RUNS && !seen.isEmpty(); i++) {
      seen.values().retainAll(differences(driver, run()).values());
    }
    assertEquals(Map.of(), seen, "run with -D" + Committed.UPDATE);
  }

  private static SortedMap<Integer, Sequences.Program> run()
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("sequences").toString());
    command.addAll(List.of("--known=" + RECORD, "--names"));
    command.add(Home.LIBRARIES.resolve("libcuda.so.1").toString());
    Program.Ended ended =
        Program.run(command, BACKEND.variables(BACKEND.endpoints().getFirst()), LIMIT);
    assertEquals(0, ended.status(), ended::toString);
    return Sequences.named(ended.output().lines().toList());
  }

  private static SortedMap<Integer, String> differences(
      Map<Integer, Sequences.Program> driver, Map<Integer, Sequences.Program> ours) {
    SortedMap<Integer, String> differences = new TreeMap<>();
    driver.forEach(
        (seed, there) -> {
          Sequences.Program here = ours.get(seed);
          String difference = here == null ? "undefined" : here.difference(there);
          if (difference != null) {
            differences.put(seed, difference);
          }
        });
    return differences;
  }

  /** What one run sees, and another one: some depends on who is faster. */
  private static void write(
      SortedMap<Integer, Sequences.Program> driver, SortedMap<Integer, String> seen)
      throws IOException, InterruptedException {
    Set<String> all = new HashSet<>(seen.values());
    all.addAll(differences(driver, run()).values());
    Files.writeString(LIST, all.stream().sorted().collect(Collectors.joining("\n", "", "\n")));
    int equal = driver.size() - seen.size();
    Files.writeString(
        PAGE,
        HEAD.formatted(
            driver.size(), equal, 100L * equal / driver.size(), table(all), Committed.UPDATE));
  }

  private static String table(Set<String> differences) {
    SortedMap<Kind, List<String>> kinds = new TreeMap<>();
    differences.stream()
        .sorted()
        .forEach(one -> kinds.computeIfAbsent(kind(one), unused -> new ArrayList<>()).add(one));
    StringBuilder table = new StringBuilder();
    kinds.forEach(
        (kind, those) ->
            table.append(
                "| %s | %d | `%s` |%n".formatted(kind.reason(), those.size(), those.getFirst())));
    return table.toString();
  }

  private static Kind kind(String difference) {
    String[] words = difference.split(" ", -1);
    return words.length < 3 ? Kind.CRASH : Kind.ofCalls(words[1], words[2]);
  }
}
