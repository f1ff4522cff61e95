// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of the program in streams, over every communicator. */
final class CallbacksTest {
  private static final String FUNCTIONS = "functions";

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> run() throws IOException {
    return Cases.overAll(BACKEND, "callbacks", "succeeded", "calls", "failed");
  }

  @TestFactory
  Stream<DynamicTest> areInOrderWithOtherWork() throws IOException {
    String row = System.getProperty("long") != null ? "longRow" : "row";
    return Cases.overAll(BACKEND, FUNCTIONS, "order", row, "streams", "destroyed", "captured");
  }

  /** The device waits for a function that never returns; the next program has it none the less. */
  @ParameterizedTest
  @CsvSource({"exits, 3", "dies, 4"})
  void endTheProgram(String how, int status) throws IOException, InterruptedException {
    String program = Home.PROGRAMS.resolve(FUNCTIONS).toString();
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended = Program.run(List.of(program, how), BACKEND.variables(endpoint));
      assertEquals(status, ended.status(), ended::toString);
      Program.prints("ok", FUNCTIONS, "destroyed", BACKEND.variables(endpoint));
    }
  }
}
