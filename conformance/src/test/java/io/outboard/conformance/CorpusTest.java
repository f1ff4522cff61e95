// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every example program; each compares its results with the CPU's. A program of the runtime API is
 * there with a static and with a shared runtime, some on the driver API too: in each build they
 * take turns.
 */
final class CorpusTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** What they show depends on the communicator: memory of both sides, callbacks, texts, order. */
  private static final String[] EVERYWHERE = {
    "assertion",
    "copies3D",
    "graphs",
    "handover",
    "interprocess",
    "managed",
    "mapped",
    "perThread",
    "printf",
    "processes",
    "streams",
    "symbols",
    "textures",
    "threads"
  };

  // By program and communicator.
  private static final Map<String, Map<String, String>> SEEN = new TreeMap<>();

  @TestFactory
  Stream<DynamicTest> programsRun() throws IOException {
    Map<String, List<Path>> corpus =
        Home.corpus().stream()
            .collect(
                groupingBy(program -> program.getFileName().toString(), TreeMap::new, toList()));
    assertFalse(corpus.isEmpty(), "no example was built");
    Turns<String> communicators = new Turns<>(BACKEND.endpoints(), EVERYWHERE);
    return corpus.entrySet().stream()
        .flatMap(each -> tests(communicators.of(each.getKey()), each.getValue()));
  }

  /** A program in its forms, which take turns over the communicators. */
  private static Stream<DynamicTest> tests(List<String> communicators, List<Path> forms) {
    Turns<Path> turns = new Turns<>(forms);
    return communicators.stream()
        .flatMap(endpoint -> turns.next().stream().map(program -> test(program, endpoint)));
  }

  /** The outcomes must be those of the documentation. */
  @AfterAll
  static void theTableIsTrue() throws IOException {
    ConformanceTable.check(SEEN);
  }

  private static DynamicTest test(Path program, String endpoint) {
    String name = Home.EXAMPLES.relativize(program).toString();
    String communicator = endpoint.replaceFirst(":.*", "");
    return dynamicTest(
        name + " over " + communicator,
        () -> {
          Map<String, String> outcomes = SEEN.computeIfAbsent(name, _ -> new TreeMap<>());
          outcomes.put(communicator, ConformanceTable.FAILED);
          outcomes.put(communicator, run(program, endpoint));
        });
  }

  /** A program that has to do without something is told so in one line; the others see nothing. */
  static String messages(Program.Ended ended) {
    boolean refused = ConformanceTable.outcome(ended.status()).equals(ConformanceTable.REFUSED);
    return refused ? "(outboard: .* is refused: .*\n)?" : "";
  }

  private static String run(Path program, String endpoint)
      throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(program.toString()), BACKEND.variables(endpoint));
    String outcome = ConformanceTable.outcome(ended.status());
    assertNotEquals(ConformanceTable.FAILED, outcome, ended::toString);
    assertTrue(ended.errors().matches(messages(ended)), ended::toString);
    return outcome;
  }
}
