// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Managed memory whose pages travel: over sockets, where program and backend share nothing. */
final class PagesTest {
  private static final int STEPS = 2_000;
  private static final int MANY_STEPS = 100_000;

  @RegisterExtension static final Backend BACKEND = new Backend("software", "--grace=0");
  @RegisterExtension static final Backend TWO = new Backend("software:2");

  private static List<String> sockets() {
    return BACKEND.endpoints().stream().filter(one -> !one.startsWith("shm:")).toList();
  }

  /** The program, its handlers, its children, and what it does to the pages. */
  @TestFactory
  Stream<DynamicTest> pagesComeForWhoeverTouchesThem() throws IOException {
    return Cases.over(
        sockets(),
        BACKEND,
        "pages",
        "one-page",
        "handlers",
        "functions",
        "children",
        "protections",
        "fresh",
        "system-calls");
  }

  /** Compiled code of the quick compiler looks at no pointer before it uses it. */
  @Test
  void aVirtualMachineHasItsOwnFaults() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Home.java(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            Home.PATH.resolve("conformance/target/test-classes").toString(),
            ManagedFromJava.class.getName());
    for (String endpoint : sockets()) {
      assertEquals(
          new Program.Ended(0, "ok\n", ""), Program.run(command, BACKEND.variables(endpoint)));
    }
  }

  @Test
  void aPageThatIsLostIsASignal() throws IOException, InterruptedException {
    for (String endpoint : sockets()) {
      Program.prints("ok", "pages", "lost", BACKEND.variables(endpoint));
    }
  }

  /**
   * Host, kernels, copies, fills, functions and system calls in any order, beside a plain model.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everyByteIsAsInThePlainModel(long seed) throws IOException, InterruptedException {
    everyByteIsAsInThePlainModel(seed, STEPS);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void everyByteIsAsInThePlainModelForLong(long seed) throws IOException, InterruptedException {
    everyByteIsAsInThePlainModel(seed, MANY_STEPS);
  }

  /** With contexts of both devices, and memory of both. */
  @Test
  void everyByteIsAsInThePlainModelOnTwoDevices() throws IOException, InterruptedException {
    Program.prints("ok", "pages", "random 3 " + STEPS, TWO.variables(TWO.tcp()));
  }

  private static void everyByteIsAsInThePlainModel(long seed, int steps)
      throws IOException, InterruptedException {
    for (String endpoint : sockets()) {
      Program.prints("ok", "pages", "random " + seed + " " + steps, BACKEND.variables(endpoint));
    }
  }
}
