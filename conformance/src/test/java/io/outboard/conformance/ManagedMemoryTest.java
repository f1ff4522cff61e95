// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Managed memory, shared with the backend or by pages that travel. */
final class ManagedMemoryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();
  @RegisterExtension static final Backend TWO = new Backend("software:2");

  @TestFactory
  Stream<DynamicTest> isThere() throws IOException {
    return Cases.overAll(
        BACKEND,
        "managed",
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
        "reloaded");
  }

  /** As they are where programs have mirrors of them. */
  @TestFactory
  Stream<DynamicTest> variablesAreThere() throws IOException {
    return Cases.overAll(
        BACKEND, "mirrors", "neighbours", "ways", "copies", "large", "threads", "ends");
  }

  /** A runtime looks for them before its first context. */
  @TestFactory
  Stream<DynamicTest> variablesAreThereBeforeAContext() throws IOException {
    return Stream.concat(
        Cases.overAll(BACKEND, "early", "first"), Cases.overAll(BACKEND, "early", "ended"));
  }

  /** Several devices have one managed memory. */
  @TestFactory
  Stream<DynamicTest> severalDevicesHaveIt() throws IOException {
    return Cases.overAll(TWO, "managed", "devices", "devices-variables");
  }

  /** A program that uses the first of several sees no less. */
  @Tag("long")
  @TestFactory
  Stream<DynamicTest> oneOfSeveralDevicesHasIt() throws IOException {
    return Cases.overAll(
        TWO, "managed", "copies", "what-it-is", "advice", "freed", "captured", "reloaded");
  }

  /** A kernel may wait for the program there; where pages travel, a touch waits for the kernel. */
  @Test
  void sharedMemoryIsUsedByBothAtOnce() throws IOException, InterruptedException {
    String shared = BACKEND.endpoints().getFirst();
    Program.prints("ok", "mirrors", "while-it-runs", BACKEND.variables(shared));
  }
}
