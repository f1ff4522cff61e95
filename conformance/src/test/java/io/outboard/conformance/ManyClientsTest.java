// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many clients, one after another and at once: all results are right, and nothing is left. */
@Timeout(3600)
final class ManyClientsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** The growth of a daemon that leaks nothing: its heap, which it need not collect. */
  private static final long GROWTH_KIB = 64 << 10;

  @Test
  void oneAfterAnother() throws Exception {
    int few = 3;
    for (int i = 0; i < few; i++) {
      runs(i);
    }
    Leftovers before = Leftovers.ofIdle(BACKEND);
    long memory = residentKib();
    for (int i = 0; i < Amount.of(6, 1000); i++) {
      runs(i);
    }
    before.awaitSame();
    long growth = residentKib() - memory;
    assertTrue(growth < GROWTH_KIB, () -> "grown by " + growth + " KiB");
  }

  @Test
  void atOnce() throws Exception {
    runs(0);
    Leftovers before = Leftovers.ofIdle(BACKEND);
    List<Future<?>> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < Amount.of(8, 64); i++) {
        int number = i;
        clients.add(threads.submit(() -> runs(number)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
    before.awaitSame();
  }

  private static Void runs(int number) throws Exception {
    List<String> endpoints = BACKEND.endpoints();
    String endpoint = endpoints.get(number % endpoints.size());
    List<String> command = List.of(Home.PROGRAMS.resolve("steady").toString(), "5");
    Program.Ended ended = Program.run(command, BACKEND.variables(endpoint));
    assertEquals("round\n".repeat(5) + "ok\n", ended.output(), ended::toString);
    assertEquals("", ended.errors(), ended::toString);
    return null;
  }

  private static long residentKib() throws IOException {
    Path status = Path.of("/proc/" + BACKEND.daemon().pid() + "/status");
    String line =
        Files.readAllLines(status).stream()
            .filter(one -> one.startsWith("VmRSS"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
