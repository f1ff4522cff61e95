// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Managed memory, shared with the backend or by pages that travel. */
@Execution(ExecutionMode.CONCURRENT)
final class ManagedMemoryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();
  @RegisterExtension static final Backend TWO = new Backend("software:2");

  @Execution(ExecutionMode.SAME_THREAD)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "in-turns",
        "many-runs",
        "copies",
        "rectangles",
        "what-it-is",
        "advice",
        "attached",
        "wrong",
        "freed",
        "captured",
        "touched-in-a-capture",
        "variables",
        "libraries",
        "reloaded",
      })
  void isThere(String topic) throws IOException, InterruptedException {
    isThere("managed", topic);
  }

  /** As they are where programs have mirrors of them. */
  @Execution(ExecutionMode.SAME_THREAD)
  @ParameterizedTest
  @ValueSource(
      strings = {
        "neighbours",
        "ways",
        "copies",
        "large",
        "threads",
        "ends",
      })
  void variablesAreThere(String topic) throws IOException, InterruptedException {
    isThere("mirrors", topic);
  }

  /** A runtime looks for them before its first context. */
  @Execution(ExecutionMode.SAME_THREAD)
  @ParameterizedTest
  @ValueSource(strings = {"first", "ended"})
  void variablesAreThereBeforeAContext(String topic) throws IOException, InterruptedException {
    isThere("early", topic);
  }

  private static void isThere(String program, String topic)
      throws IOException, InterruptedException {
    isThere(BACKEND, program, topic);
  }

  private static void isThere(Backend backend, String program, String topic)
      throws IOException, InterruptedException {
    for (String endpoint : backend.endpoints()) {
      Program.prints("ok", program, topic, backend.variables(endpoint));
    }
  }

  /** Several devices have one managed memory. */
  @Execution(ExecutionMode.SAME_THREAD)
  @ParameterizedTest
  @ValueSource(strings = {"devices", "devices-variables"})
  void severalDevicesHaveIt(String topic) throws IOException, InterruptedException {
    isThere(TWO, "managed", topic);
  }

  /** A program that uses the first of several sees no less. */
  @Tag("long")
  @Execution(ExecutionMode.SAME_THREAD)
  @ParameterizedTest
  @ValueSource(strings = {"copies", "what-it-is", "advice", "freed", "captured", "reloaded"})
  void oneOfSeveralDevicesHasIt(String topic) throws IOException, InterruptedException {
    isThere(TWO, "managed", topic);
  }

  /** A kernel may wait for the program there; where pages travel, a touch waits for the kernel. */
  @Execution(ExecutionMode.SAME_THREAD)
  @Test
  void sharedMemoryIsUsedByBothAtOnce() throws IOException, InterruptedException {
    String shared = BACKEND.endpoints().getFirst();
    Program.prints("ok", "mirrors", "while-it-runs", BACKEND.variables(shared));
  }
}
