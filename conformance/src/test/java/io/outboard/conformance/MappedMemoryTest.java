// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Page-locked memory that kernels use: where it is, over shared memory, and by pages elsewhere. */
final class MappedMemoryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> isThere() throws IOException {
    return Cases.overAll(
        BACKEND,
        "mapped",
        "in-turns",
        "copies",
        "fills",
        "what-it-is",
        "registered",
        "freed",
        "many");
  }

  @TestFactory
  Stream<DynamicTest> moreIsThereOverSharedMemory() throws IOException {
    return Cases.over(List.of(endpoint("shm:")), BACKEND, "mapped", "talking", "plain");
  }

  /** Memory that the program had: over shared memory its pages move there and back. */
  @TestFactory
  Stream<DynamicTest> isRegistered() throws IOException {
    return Stream.concat(
        Cases.overAll(BACKEND, "registered", "copies", "writers", "forked"),
        Cases.over(
            List.of(endpoint("shm:")), BACKEND, "registered", "moves", "stack", "faults", "gone"));
  }

  @Test
  void whereTheyCannotTheProgramIsToldWhatItWaitsFor(@TempDir Path folder) throws Exception {
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(Home.PROGRAMS.resolve("mapped").toString(), "talking")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile());
    Program.setVariables(builder, BACKEND.variables(endpoint("tcp:")));
    Process program = builder.start();
    try {
      Patience.until("a word about it", () -> Files.readString(errors).endsWith("\n"));
      assertTrue(program.isAlive());
    } finally {
      program.destroyForcibly().waitFor();
    }
    String said = Files.readString(errors);
    assertEquals(1, said.lines().count(), said);
    assertTrue(said.contains("waits until their work is over"), said);
    assertTrue(said.contains("--on unix:PATH"), said);
  }

  private static String endpoint(String scheme) {
    return BACKEND.endpoints().stream()
        .filter(one -> one.startsWith(scheme))
        .findAny()
        .orElseThrow();
  }
}
