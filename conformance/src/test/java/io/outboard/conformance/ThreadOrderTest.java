// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The order of calls of several threads: random programs, whose results depend on it, against a
 * model that makes their operations one after the other.
 */
final class ThreadOrderTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @Test
  void isKept() throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      assertOrder("1+50", BACKEND.variables(endpoint), Duration.ofMinutes(2));
    }
  }

  /** Also where there are fewer rings than threads. */
  @ParameterizedTest
  @ValueSource(strings = {"2", "3", "17"})
  void isKeptOverSeveralRings(String rings) throws IOException, InterruptedException {
    assertOrder("1000+200", withRings(rings), Duration.ofMinutes(2));
  }

  /** Where no memory is shared each has a connection. */
  @ParameterizedTest
  @ValueSource(strings = {"3", "17"})
  void isKeptOverSeveralConnections(String connections) throws IOException, InterruptedException {
    assertOrder("2000+100", over(BACKEND.tcp(), connections), Duration.ofMinutes(5));
  }

  /** Where the session ends with any of its connections. */
  @Test
  void isKeptOverUnixSockets() throws IOException, InterruptedException {
    Map<String, String> variables = over(BACKEND.endpoints().get(1), "17");
    variables.put("OUTBOARD_SHM", "0");
    assertOrder("2100+100", variables, Duration.ofMinutes(5));
  }

  /** More than the first ring has room for, whoever waits in a ring of its own. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatKernelsPrintComesWhileAThreadWaitsInItsOwnRing(boolean distant)
      throws IOException, InterruptedException {
    List<String> command = List.of(Home.PROGRAMS.resolve("prints").toString());
    Map<String, String> variables = distant ? over(BACKEND.tcp(), "2") : withRings("2");
    Program.Ended ended = Program.run(command, variables, Duration.ofMinutes(5));
    assertEquals(0, ended.status(), ended.errors());
    assertEquals(4 * 256 * 64, ended.output().lines().filter(".".repeat(80)::equals).count());
  }

  @Tag("long")
  @Test
  void isKeptByEveryProgram() throws IOException, InterruptedException {
    assertOrder("10000+100000", withRings("17"), Duration.ofHours(2));
    assertOrder("10000+30000", over(BACKEND.tcp(), "17"), Duration.ofHours(2));
  }

  private static Map<String, String> withRings(String rings) throws IOException {
    return over(BACKEND.endpoints().getFirst(), rings);
  }

  private static Map<String, String> over(String endpoint, String rings) throws IOException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
    variables.put("OUTBOARD_RINGS", rings);
    return variables;
  }

  private static void assertOrder(String programs, Map<String, String> variables, Duration limit)
      throws IOException, InterruptedException {
    List<String> command = List.of(Home.PROGRAMS.resolve("threads").toString(), programs);
    assertEquals(new Program.Ended(0, "ok\n", ""), Program.run(command, variables, limit));
  }
}
