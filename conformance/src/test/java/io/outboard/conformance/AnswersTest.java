// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The answers through Outboard, on the software GPU, are those that an H100's driver gave, but for
 * those that a list names; whoever changes one of these changes the list. Each build runs a share
 * of the cases, {@code -Dlong} all of them. Cases that the driver did not survive are left out.
 */
final class AnswersTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final Path FOLDER = Home.PATH.resolve("conformance/answers");
  private static final Path RECORD = FOLDER.resolve("nvidia-h100-580.159.04.txt");
  private static final Path LIST = FOLDER.resolve("software-differences.txt");
  private static final Path PAGE = Home.PATH.resolve("docs/conformance/answers.md");
  private static final Duration LIMIT = Duration.ofMinutes(30);

  /** Of all cases each build runs one in so many. */
  private static final int BUILDS_SHARE = 12;

  private static final int SHARE = Amount.of(BUILDS_SHARE, 1);

  /** The same over the other communicators. */
  private static final int OTHERS_SHARE = Amount.of(5 * BUILDS_SHARE, BUILDS_SHARE);

  private static final List<String> NORMAL = List.of("--state=normal");

  /** Over the other communicators each build leaves the states aside: a process each. */
  private static final List<String> STATES = Amount.isLong() ? List.of() : NORMAL;

  /** How often an answer comes again before it counts. */
  private static final int RUNS = 2;

  @SuppressWarnings("InlineFormatString") // It is the page.
  private static final String HEAD =
      """
      # The driver's answers, and those through Outboard

      `conformance/answers/record` called %d functions of an H100's driver, natively, with each class
      of value of each parameter, and each of them in %d states. Of %d cases the driver did not survive
      %d, or did not answer them alike twice. Of the other %d answers, that is results and what the
      next, innocent call was told, **%d (%d %%)** are equal on the software GPU over shared memory.
      Those that differ are in `conformance/answers/software-differences.txt`. Their kinds, with how
      many there are and a case with the driver's answer and ours:

      | kind | cases | for example |
      |---|---|---|
      %s
      On a GPU (an H200 with that driver, 2026-11-28) samples of these cases, weighted by the states that
      they are of, were answered as natively in 98.3 %% over shared memory and 98.3 %% over TCP; most of the
      rest is in a forked child, or reads memory that is no object.

      The management library has its own page ([answers-nvml.md](answers-nvml.md)), and so have OpenCL
      ([answers-opencl.md](answers-opencl.md)) and random programs ([sequences.md](sequences.md)).
      Attributes and limits that differ are in `conformance/answers/values-software.txt`, and those that
      differ on an H200 itself in `values-h200-outboard.txt`, each with its reason.

      Each build runs a share of the cases and fails where it sees a difference that is not in the
      list, three times; with all cases, as `-Dlong` runs them, also where one is gone. What varies
      between runs or communicators is marked and not compared. Written anew by `./mvnw -D%s=true -Dlong verify`.
      """;

  @Test
  void sharedMemoryAnswersAsListed() throws Exception {
    SortedMap<String, String> driver = Answers.read(Files.readAllLines(RECORD));
    SortedMap<String, String> ours = run(BACKEND.endpoints().getFirst(), SHARE, List.of());
    AnswerDifferences seen = AnswerDifferences.between(driver, ours);
    if (SHARE == 1 && Boolean.getBoolean(Committed.UPDATE)) {
      write(driver, ours, seen);
    }
    check(BACKEND.endpoints().getFirst(), SHARE, List.of(), ours);
  }

  /**
   * All cases again, over each communicator, and the shares of builds: what depends on the run, on
   * the communicator or on the cases before is marked.
   */
  private static void write(
      SortedMap<String, String> driver, SortedMap<String, String> ours, AnswerDifferences seen)
      throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      for (int i = 0; i < RUNS; i++) {
        seen.compareRuns(ours, run(endpoint, 1, List.of()), driver);
      }
      seen.compareRuns(ours, run(endpoint, BUILDS_SHARE, List.of()), driver);
      seen.compareRuns(ours, run(endpoint, 5 * BUILDS_SHARE, NORMAL), driver);
    }
    Files.writeString(LIST, seen.text());
    Files.writeString(PAGE, page(driver, ours.size(), seen));
  }

  @Test
  void otherCommunicatorsAnswerAlike() throws Exception {
    for (String endpoint : BACKEND.endpoints().subList(1, 3)) {
      check(endpoint, OTHERS_SHARE, STATES, run(endpoint, OTHERS_SHARE, STATES));
    }
  }

  /**
   * An answer of once may be chance: what is not as listed is so in {@link #RUNS} more runs. An
   * answer that is better than listed is an error only where the list could be written anew.
   */
  private static void check(
      String endpoint, int share, List<String> options, SortedMap<String, String> ours)
      throws IOException, InterruptedException {
    SortedMap<String, String> driver = Answers.read(Files.readAllLines(RECORD));
    AnswerDifferences listed = AnswerDifferences.read(Files.readAllLines(LIST));
    assertTrue(ours.size() > 50, () -> "few cases: " + ours);
    List<String> other = AnswerDifferences.between(driver, ours).against(listed, ours, share == 1);
    for (int i = 0; i < RUNS && !other.isEmpty(); i++) {
      SortedMap<String, String> again = run(endpoint, share, options);
      other.retainAll(AnswerDifferences.between(driver, again).against(listed, again, share == 1));
    }
    assertEquals(List.of(), other, "run with -Dlong -D" + Committed.UPDATE);
  }

  /** The answers over an endpoint to one in so many cases. */
  private static SortedMap<String, String> run(String endpoint, int share, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Home.PROGRAMS.resolve("recorder").toString());
    command.addAll(List.of("--known=" + RECORD, "--limit=60", "--one-in=" + share, "--seed=54"));
    command.addAll(options);
    command.add(Home.LIBRARIES.resolve("libcuda.so.1").toString());
    Program.Ended ended = Program.run(command, BACKEND.variables(endpoint), LIMIT);
    assertEquals(0, ended.status(), ended::toString);
    return Answers.read(ended.output().lines().toList());
  }

  private static String page(Map<String, String> driver, int answered, AnswerDifferences seen) {
    long undefined = driver.values().stream().filter(a -> a.startsWith(Answers.UNDEFINED)).count();
    int equal = answered - seen.count();
    return HEAD.formatted(
        driver.keySet().stream().map(name -> name.split(" ", -1)[1]).distinct().count(),
        driver.keySet().stream().map(name -> name.split(" ", -1)[0]).distinct().count(),
        driver.size(),
        undefined,
        answered,
        equal,
        100L * equal / answered,
        seen.table(),
        Committed.UPDATE);
  }
}
