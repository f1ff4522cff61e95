// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Cases of one of the tests' programs, in one process: the start of a process and of its worker
 * takes longer than most cases. A case that fails ends its process, and the case after it begins
 * another one.
 */
final class Cases {
  private final List<String> program;
  private final List<String> names;
  private final Map<String, String> variables;

  /** How many of the names have had their turn. */
  private int begun;

  /** Where the last process failed; all names before passed. */
  private int end = -1;

  private Program.Ended last;

  private Cases(List<String> program, List<String> names, Map<String, String> variables) {
    this.program = program;
    this.names = names;
    this.variables = variables;
  }

  /** A test for each case over each endpoint of a backend. */
  static Stream<DynamicTest> overAll(Backend backend, String program, String... names)
      throws IOException {
    return over(backend.endpoints(), backend, program, names);
  }

  /** The same over some of its endpoints. */
  static Stream<DynamicTest> over(
      List<String> endpoints, Backend backend, String program, String... names) throws IOException {
    List<Stream<DynamicTest>> tests = new ArrayList<>();
    for (String endpoint : endpoints) {
      String medium = endpoint.replaceFirst(":.*", "");
      tests.add(with(backend.variables(endpoint), medium, program, names));
    }
    return tests.stream().flatMap(each -> each);
  }

  /** The same with these variables; their names tell how. */
  static Stream<DynamicTest> with(
      Map<String, String> variables, String how, String program, String... names) {
    String path = Home.PROGRAMS.resolve(program).toString();
    return with(List.of(path), variables, program + " over " + how, names);
  }

  /** The same of any program that is given the names after its own arguments. */
  static Stream<DynamicTest> with(
      List<String> program, Map<String, String> variables, String how, String... names) {
    Cases cases = new Cases(program, List.of(names), variables);
    return cases.names.stream().map(name -> dynamicTest(name + ": " + how, cases::next));
  }

  private void next() throws IOException, InterruptedException {
    int mine = begun++;
    if (end < mine) {
      runFrom(mine);
    }
    assertTrue(end > mine, () -> names.get(mine) + " with " + variables + ": " + last);
  }

  /** A program says "ok" after each case, and ends at the first failure. */
  private void runFrom(int first) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(names.subList(first, names.size()));
    last = Program.run(command, variables);
    int said = Math.toIntExact(last.output().lines().takeWhile("ok"::equals).count());
    boolean failsAtItsEnd = last.status() != 0 && first + said == names.size();
    end = first + (failsAtItsEnd ? said - 1 : said);
  }
}
