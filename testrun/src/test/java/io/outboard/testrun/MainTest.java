// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command, around builds that are scripts. */
final class MainTest {
  private static final String NOT_CI = "CI=";
  private static final String PASSED = FakeRoot.happens(Event.Kind.PASSED, "right", "");
  private static final String FAILED = FakeRoot.happens(Event.Kind.FAILED, "wrong", "1 is not 2");
  private static final Duration LOST = Duration.ofMinutes(1);

  @TempDir private Path folder;

  private FakeRoot root(String... maven) throws Exception {
    return new FakeRoot(folder, String.join("", maven));
  }

  private static void assertEndsWith(List<String> end, List<String> lines) {
    assertEquals(end, lines.subList(Math.max(0, lines.size() - end.size()), lines.size()));
  }

  @Test
  void whatPassesIsCounted() throws Exception {
    List<String> lines = root(PASSED).run(NOT_CI);
    assertEndsWith(List.of("outboard: 1 passed, 0 failed, 0 skipped", "status 0"), lines);
  }

  @Test
  void aFailureSaysHowItRunsAlone() throws Exception {
    List<String> lines = root(PASSED, FAILED).run(NOT_CI);
    assertTrue(lines.contains("FAILED some SomeTest.wrong: 1 is not 2"), lines::toString);
    assertTrue(lines.contains("      ./outboard test SomeTest.wrong"), lines::toString);
    assertEndsWith(List.of("outboard: 1 passed, 1 failed, 0 skipped", "status 1"), lines);
  }

  @Test
  void aClassWhoseMachineIsLostHasFailed() throws Exception {
    List<String> lines =
        root(PASSED, FakeRoot.happens(Event.Kind.STARTED, "", "")).run(NOT_CI, "SomeTest");
    assertEndsWith(List.of("outboard: 1 passed, 1 failed, 0 skipped", "status 1"), lines);
  }

  @Test
  void aModuleWithoutAnEventIsAFailure() throws Exception {
    List<String> lines = root("true\n").run(NOT_CI);
    assertEndsWith(
        List.of(
            "outboard: no test of some ran", "outboard: 0 passed, 1 failed, 0 skipped", "status 1"),
        lines);
  }

  @Test
  void aSkipSaysWhichPackageEnablesIt() throws Exception {
    List<String> lines =
        root(PASSED, FakeRoot.happens(Event.Kind.SKIPPED, "known", "clang is not installed"))
            .run("CI=true");
    assertEndsWith(
        List.of(
            "outboard: not run here",
            "  clang is not installed (package clang-19): SomeTest.known",
            "outboard: to run more: apt-get install clang-19",
            "outboard: 1 passed, 0 failed, 1 skipped",
            "status 0"),
        lines);
  }

  @Test
  void integrationMissesOnlyWhatIsNamed() throws Exception {
    List<String> lines =
        root(PASSED, FakeRoot.happens(Event.Kind.SKIPPED, "other", "it is late")).run("CI=true");
    assertEndsWith(
        List.of(
            "outboard: .ci/skips does not name a.SomeTest.other",
            "outboard: 1 passed, 1 failed, 1 skipped",
            "status 1"),
        lines);
  }

  @Test
  void aCompileErrorIsShownAndEndsTheRun() throws Exception {
    List<String> lines =
        root("""
                echo '[INFO] Building Outboard: some 1                    [1/1]'
                echo '[ERROR] COMPILATION ERROR : '
                echo '[ERROR] /Some.java:[3,1] ; expected'
                echo '[INFO] 1 error'
                sleep 1000
                """)
            .run(NOT_CI);
    assertTrue(lines.contains("/Some.java:[3,1] ; expected"), lines::toString);
    assertEndsWith(
        List.of(
            "outboard: the build failed; the whole log is in target/build.log",
            "outboard: 0 passed, 1 failed, 0 skipped",
            "status 1"),
        lines);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
  void aSignalEndsAllThatItStarted(String signal, int status) throws Exception {
    FakeRoot root = root(FakeRoot.BACKEND.formatted(folder.resolve("number")), "sleep 1000\n");
    Process process = root.start(NOT_CI);
    ProcessHandle backend = backend(root);
    new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid())).start().waitFor();
    assertEquals(status, FakeRoot.status(process));
    assertIsGone(backend);
  }

  @Test
  void aClosedPipeEndsAllThatItStarted() throws Exception {
    FakeRoot root = root(FakeRoot.BACKEND.formatted(folder.resolve("number")), "sleep 1000\n");
    Process process = root.start(NOT_CI);
    ProcessHandle backend = backend(root);
    process.getInputStream().close();
    assertEquals(141, FakeRoot.status(process));
    assertIsGone(backend);
  }

  @Test
  void whatAKilledRunLeftTheNextOneEnds() throws Exception {
    FakeRoot root = root(FakeRoot.BACKEND.formatted(folder.resolve("number")), "sleep 1000\n");
    Process process = root.start(NOT_CI);
    ProcessHandle backend = backend(root);
    process.destroyForcibly().waitFor();
    root(PASSED).run(NOT_CI);
    assertIsGone(backend);
  }

  @Test
  void whatTestsLeaveRunningIsToldAndEnded() throws Exception {
    FakeRoot root =
        root(
            FakeRoot.BACKEND.formatted(folder.resolve("number")),
            "until [ -s '%s' ]; do sleep 0.1; done\n".formatted(folder.resolve("number")),
            PASSED);
    List<String> lines = root.run(NOT_CI);
    assertTrue(
        lines.contains("outboard: left running, and ended now: sleep 1000"), lines::toString);
    assertIsGone(backend(root));
  }

  @Test
  void aWrongNameIsWrongUsageAndHasSuggestions() throws Exception {
    assertEquals(
        List.of(
            "outboard: there is no test 'SomTest'; did you mean SomeTest?",
            "Try 'outboard test --help'.",
            "status 2"),
        root("true\n").run(NOT_CI, "SomTest"));
  }

  private static ProcessHandle backend(FakeRoot root) throws Exception {
    Instant end = Instant.now().plus(LOST);
    while (!Files.exists(root.number()) || Files.size(root.number()) == 0) {
      assertTrue(Instant.now().isBefore(end), "no backend starts");
      Thread.sleep(20);
    }
    long pid = Long.parseLong(Files.readString(root.number()).strip());
    return ProcessHandle.of(pid).orElse(null);
  }

  private static void assertIsGone(ProcessHandle process) throws Exception {
    Instant end = Instant.now().plus(LOST);
    while (process != null && process.isAlive()) {
      assertTrue(Instant.now().isBefore(end), "it still runs");
      Thread.sleep(20);
    }
  }
}
