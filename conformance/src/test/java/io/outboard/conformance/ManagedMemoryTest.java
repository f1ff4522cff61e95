// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Managed memory over shared memory, and its refusal elsewhere. */
final class ManagedMemoryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "in-turns",
        "copies",
        "rectangles",
        "what-it-is",
        "advice",
        "attached",
        "wrong",
        "freed",
        "captured",
        "variables",
        "libraries",
        "reloaded",
      })
  void isThereOrRefused(String topic) throws IOException, InterruptedException {
    isThereOrRefused("managed", topic);
  }

  /** As they are where programs have mirrors of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "neighbours",
        "ways",
        "copies",
        "large",
        "while-it-runs",
        "threads",
        "ends",
      })
  void variablesAreThereOrRefused(String topic) throws IOException, InterruptedException {
    isThereOrRefused("mirrors", topic);
  }

  /** A runtime looks for them before its first context. */
  @ParameterizedTest
  @ValueSource(strings = {"first", "ended"})
  void variablesAreThereOrRefusedBeforeAContext(String topic)
      throws IOException, InterruptedException {
    isThereOrRefused("early", topic);
  }

  private static void isThereOrRefused(String program, String topic)
      throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      String expected = endpoint.startsWith("shm:") ? "ok" : "refused";
      Program.prints(expected, program, topic, BACKEND.variables(endpoint));
    }
  }

  @Test
  void whatIsRefusedSaysSoOnceAndNamesTheRemedy() throws IOException, InterruptedException {
    String endpoint =
        BACKEND.endpoints().stream().filter(one -> one.startsWith("tcp:")).findAny().orElseThrow();
    Program.Ended ended =
        Program.prints("refused", "managed", "wrong", BACKEND.variables(endpoint));
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertTrue(ended.errors().contains("managed memory (cudaMallocManaged"), ended::toString);
    assertTrue(ended.errors().contains("over --on unix:PATH"), ended::toString);
  }
}
