// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Plan} and {@link Options}: what a request comes to. */
final class PlanTest {
  private static final Sources SOURCES =
      new Sources(
          List.of("wire", "cli", "frontend"),
          List.of(
              new TestClass("wire", "a.FrameTest", false, Map.of("one", false, "slow", true)),
              new TestClass("cli", "a.GuestTest", true, Map.of("runs", false, "moves", false))),
          List.of("loss", "sha256"));

  private static Plan plan(String... arguments) throws Exception {
    return Plan.of(Options.parse(arguments), SOURCES);
  }

  private static String tests(Plan plan) {
    return plan.maven().stream()
        .filter(argument -> argument.startsWith("-Dtest="))
        .findFirst()
        .orElse("");
  }

  @Test
  void allIsAllButTheLengthyOnes() throws Exception {
    Plan plan = plan();
    assertEquals(Set.of("wire", "frontend"), plan.modules());
    assertEquals(3, plan.tests());
    assertEquals(Optional.of("whole"), plan.kind());
    assertFalse(plan.maven().contains("-Dlong"));
    assertEquals(5, plan("--long").tests());
    assertTrue(plan("--long").maven().contains("-Dlong"));
  }

  @Test
  void aNameBuildsItsModuleAlone() throws Exception {
    Plan plan = plan("FrameTest.one");
    assertEquals(Set.of("wire"), plan.modules());
    assertEquals("-Dtest=a.FrameTest#one", tests(plan));
    assertTrue(plan.maven().containsAll(List.of("-pl", "wire", "-am", "-Dchosen")));
    assertTrue(plan.maven().contains("-Dtest.c.skip=true"));
    assertTrue(plan.maven().contains("-Dspotless.check.skip=true"));
    assertEquals(Optional.empty(), plan.make());
    assertFalse(plan.maven().contains("-Dlong"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GuestTest", "GuestTest.runs", "FrameTest.slow"})
  void aLengthyTestThatIsNamedRuns(String name) throws Exception {
    assertTrue(plan(name).maven().contains("-Dlong"));
  }

  @Test
  void programsAreTheMakefiles() throws Exception {
    Plan plan = plan("loss", "FrameTest", "frontend/sha256");
    assertEquals(Optional.of(List.of("test", "ONLY=loss sha256")), plan.make());
    assertEquals("-Dtest=a.FrameTest", tests(plan));
    assertEquals("", tests(plan("loss")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--quick wire", "--quick --long", "--quik", "-v"})
  void isWrongUsage(String line) {
    assertThrows(Usage.class, () -> Options.parse(line.split(" ")));
  }
}
