// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** {@link EventWriter}, in a run of classes that are no tests otherwise. */
final class EventWriterTest {
  @TempDir private Path folder;

  @TestMethodOrder(MethodOrderer.MethodName.class)
  static final class Mixed {
    @Test
    void aborted() {
      assumeTrue(false, "it is late");
    }

    @Test
    void failed() {
      Assertions.assertEquals(1, 2, "one\nis\ttwo");
    }

    @TestFactory
    Stream<DynamicTest> many() {
      return Stream.of(DynamicTest.dynamicTest("first", () -> {}));
    }
  }

  static final class NotHere {
    @BeforeAll
    static void asks() {
      assumeTrue(false, "not here");
    }

    @Test
    void one() {}

    @Test
    void two() {}
  }

  @ParameterizedClass
  @ValueSource(ints = {1, 2})
  record Both(int number) {
    @Test
    void one() {
      Assertions.assertTrue(number > 0);
    }
  }

  private List<String> events(Class<?> type) throws Exception {
    Path file = folder.resolve(type.getSimpleName());
    // Without the listener that writes of this test itself.
    LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(type))
                .build(),
            new EventWriter(Optional.of(file), "/there/some"));
    String owner = getClass().getName();
    return Files.readAllLines(file).stream()
        .flatMap(line -> Event.parse(line).stream())
        .peek(event -> assertEquals("some", event.module()))
        .peek(event -> assertEquals(event.type().isEmpty() ? "" : owner, event.type()))
        .map(
            event -> event.kind() + " " + event.method() + " " + event.label() + " " + event.text())
        .map(line -> line.replaceAll(" +", " ").strip())
        .toList();
  }

  @Test
  void eachResultIsALine() throws Exception {
    assertEquals(
        List.of(
            "STARTED",
            "SKIPPED aborted it is late",
            "FAILED failed one is two ==> expected: <1> but was: <2>",
            "PASSED many first",
            "ENDED",
            "DONE"),
        events(Mixed.class));
  }

  @Test
  void testsOfAClassThatDoesNotRunAreSkipped() throws Exception {
    assertEquals(
        List.of("STARTED", "SKIPPED one not here", "SKIPPED two not here", "ENDED", "DONE"),
        events(NotHere.class).stream().sorted(EventWriterTest::byNameWithinKind).toList());
  }

  @Test
  void aClassWithParametersIsOne() throws Exception {
    assertEquals(
        List.of("STARTED", "PASSED one", "PASSED one", "ENDED", "DONE"), events(Both.class));
  }

  /** The order of methods is not said; that of kinds is. */
  private static int byNameWithinKind(String one, String other) {
    return one.startsWith("SKIPPED") && other.startsWith("SKIPPED") ? one.compareTo(other) : 0;
  }
}
