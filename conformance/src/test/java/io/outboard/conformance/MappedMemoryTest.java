// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Page-locked memory that kernels use: where it is, over shared memory, and by pages elsewhere. */
final class MappedMemoryTest {
  private static final int STOPPED = 124; // by timeout(1)

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> isThere() throws IOException {
    return Cases.overAll(
        BACKEND, "mapped", "in-turns", "copies", "what-it-is", "registered", "freed", "many");
  }

  @TestFactory
  Stream<DynamicTest> moreIsThereOverSharedMemory() throws IOException {
    return Cases.over(List.of(endpoint("shm:")), BACKEND, "mapped", "talking", "plain");
  }

  @Test
  void whereTheyCannotTheProgramIsToldWhatItWaitsFor() throws IOException, InterruptedException {
    String program = Home.PROGRAMS.resolve("mapped").toString();
    Program.Ended ended =
        Program.run(
            List.of("timeout", "7", program, "talking"), BACKEND.variables(endpoint("tcp:")));
    assertEquals(STOPPED, ended.status(), ended::toString);
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertTrue(ended.errors().contains("waits until their work is over"), ended::toString);
    assertTrue(ended.errors().contains("--on unix:PATH"), ended::toString);
  }

  private static String endpoint(String scheme) {
    return BACKEND.endpoints().stream()
        .filter(one -> one.startsWith(scheme))
        .findAny()
        .orElseThrow();
  }
}
