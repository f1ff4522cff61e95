// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copies of pageable and of page-locked memory over every communicator. */
final class TransferTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final String PROGRAM = Home.PROGRAMS.resolve("transfer").toString();
  private static final List<String> CASES =
      List.of(
          "sizes",
          "source-in-order",
          "source-is-taken",
          "target-in-order",
          "registered",
          "freed",
          "threads",
          "wrong",
          "wrong-before");

  @TestFactory
  Stream<DynamicTest> bytesArrive() {
    return BACKEND.endpoints().stream()
        .flatMap(
            endpoint ->
                CASES.stream()
                    .map(
                        what ->
                            dynamicTest(
                                what + " over " + endpoint.replaceFirst(":.*", ""),
                                () -> runs(what, endpoint))));
  }

  private static void runs(String what, String endpoint) throws IOException, InterruptedException {
    Program.prints("ok", "transfer", what, BACKEND.variables(endpoint));
  }

  /**
   * Its worker, and with it the memory that both had, goes; the next client finds all as it was.
   */
  @Test
  @Timeout(60)
  void aClientThatIsKilledWhileItCopiesLeavesNothing() throws IOException, InterruptedException {
    String endpoint = BACKEND.endpoints().getFirst();
    for (int i = 0; i < 5; i++) {
      ProcessBuilder builder = new ProcessBuilder(PROGRAM, "forever");
      builder.environment().putAll(BACKEND.variables(endpoint));
      Process client = builder.start();
      try (BufferedReader out = client.inputReader()) {
        assertEquals("copying", out.readLine());
        List<ProcessHandle> workers = BACKEND.workers();
        TimeUnit.MILLISECONDS.sleep(20L * i);
        client.destroyForcibly().waitFor();
        assertTrue(oneEnds(workers), "the worker is still there");
      }
      runs("wrong", endpoint);
    }
  }

  private static boolean oneEnds(List<ProcessHandle> workers) throws InterruptedException {
    for (int waited = 0; waited < 200; waited++) {
      if (workers.stream().anyMatch(worker -> !worker.isAlive())) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return false;
  }
}
