// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Copies of pageable and of page-locked memory over every communicator. */
final class TransferTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software", "--grace=0");

  private static final String PROGRAM = Home.PROGRAMS.resolve("transfer").toString();
  private static final String ALONE = "0";
  private static final String SEVERAL = "3";
  private static final String[] CASES = {
    "sizes",
    "source-in-order",
    "source-is-taken",
    "target-in-order",
    "registered",
    "large-in-order",
    "behind-a-wait",
    "freed",
    "threads",
    "page-locked-as-a-devices",
    "wrong",
    "wrong-before"
  };

  @TestFactory
  Stream<DynamicTest> bytesArrive() throws IOException {
    return bytesArrive(BACKEND.endpoints(), ALONE);
  }

  @TestFactory
  Stream<DynamicTest> bytesArriveOverSeveralConnections() throws IOException {
    return bytesArrive(withoutSharedMemory(), SEVERAL);
  }

  private static Stream<DynamicTest> bytesArrive(List<String> endpoints, String connections)
      throws IOException {
    List<Stream<DynamicTest>> tests = new ArrayList<>();
    for (String endpoint : endpoints) {
      tests.add(Cases.with(variables(endpoint, connections), endpoint, "transfer", CASES));
    }
    return tests.stream().flatMap(each -> each);
  }

  private static List<String> withoutSharedMemory() {
    return BACKEND.endpoints().stream().filter(endpoint -> !endpoint.startsWith("shm:")).toList();
  }

  private static Map<String, String> variables(String endpoint, String connections)
      throws IOException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
    variables.put("OUTBOARD_BULK", connections);
    return variables;
  }

  /**
   * Its worker, and with it the memory that both had, goes; the next client finds all as it was.
   */
  @Test
  void aClientThatIsKilledWhileItCopiesLeavesNothing() throws IOException, InterruptedException {
    killWhileItCopies(BACKEND.endpoints().getFirst(), ALONE);
  }

  @Test
  void neitherDoesOneWithSeveralConnections() throws IOException, InterruptedException {
    killWhileItCopies(BACKEND.tcp(), SEVERAL);
  }

  private static void killWhileItCopies(String endpoint, String connections)
      throws IOException, InterruptedException {
    for (int i = 0; i < 5; i++) {
      Process client = copying(endpoint, connections);
      try (BufferedReader out = client.inputReader()) {
        assertEquals("copying", out.readLine());
        List<ProcessHandle> workers = BACKEND.workers();
        TimeUnit.MILLISECONDS.sleep(20L * i);
        client.destroyForcibly().waitFor();
        Patience.until(
            "the worker's end", () -> !workers.stream().allMatch(ProcessHandle::isAlive));
      }
      Program.prints("ok", "transfer", "wrong", variables(endpoint, connections));
    }
  }

  private static Process copying(String endpoint, String connections) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(PROGRAM, "forever").redirectErrorStream(true);
    builder.environment().putAll(variables(endpoint, connections));
    return builder.start();
  }

  @Test
  void aWorkerThatIsKilledWhileItCopiesIsTold() throws IOException, InterruptedException {
    Process client = copying(BACKEND.tcp(), SEVERAL);
    try (BufferedReader out = client.inputReader()) {
      assertEquals("copying", out.readLine());
      TimeUnit.MILLISECONDS.sleep(50);
      BACKEND.worker(client.toHandle()).destroyForcibly();
      assertTrue(out.readAllAsString().contains("is lost: "));
      assertTrue(client.waitFor() != 0);
    }
  }
}
