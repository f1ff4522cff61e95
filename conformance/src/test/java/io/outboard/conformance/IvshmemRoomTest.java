// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Page-locked memory of programs in memory that their guest shares with its host, for which a file
 * stands.
 */
final class IvshmemRoomTest {
  private static final String URI = "tcp://localhost:0";
  private static final String NARROW_URI = "tcp://127.0.0.1:0";
  private static final long PART = 8192 + (2 << 20);
  private static final Path MEMORY = GuestFile.make(64 << 20);
  private static final Path NARROW = GuestFile.make(2 * PART);

  @RegisterExtension
  static final Backend BACKEND =
      new Backend(
          "software",
          "--listen=" + NARROW_URI,
          "--ivshmem-fixed=" + NARROW_URI + "=" + NARROW,
          "--listen=" + URI,
          "--ivshmem-fixed=" + URI + "=" + MEMORY,
          "--grace=" + Patience.of(Duration.ofSeconds(4)).toSeconds() + "s");

  @AfterAll
  static void removeMemory() throws IOException {
    Files.delete(MEMORY);
    Files.delete(NARROW);
  }

  private static Map<String, String> variables(String endpoint, Path memory) throws IOException {
    return GuestFile.variables(BACKEND, endpoint, memory);
  }

  /** Also while a kernel runs, as by pages it could not. */
  @Test
  void kernelsAndTheProgramUseItTogether() throws Exception {
    Map<String, String> variables = variables(BACKEND.further(), MEMORY);
    for (String what :
        List.of("talking", "in-turns", "copies", "what-it-is", "plain", "freed", "many")) {
      Program.prints("ok", "mapped", what, variables);
    }
    Program.prints("ok", "transfer", "sizes", variables);
  }

  @Test
  void pagesServeWhereNoRoomIsLeft() throws Exception {
    Map<String, String> variables = variables(BACKEND.further(0), NARROW);
    for (String what : List.of("talking", "many", "copies")) {
      Program.prints("ok", "mapped", what, variables);
    }
  }

  /** Memory that a program has stays shared; later memory has pages. */
  @Test
  void contentsOutliveTheConnection() throws Exception {
    List<String> program = List.of(Home.PROGRAMS.resolve("mapped").toString(), "lasting");
    try (Proxy proxy = new Proxy(BACKEND.further(), List.of());
        Steady client = Steady.start(program, variables(proxy.endpoint(), MEMORY))) {
      client.awaitProgress();
      Patience.until(client::toString, () -> ranges(client) == 2);
      for (int i = 0; i < 3; i++) {
        proxy.off();
        proxy.on();
        client.awaitSaid(GuestFile.OVER_THE_STREAM);
        client.awaitProgress();
      }
      client.awaitProgress();
      for (int i = 0; i < 100; i++) {
        assertEquals(1, ranges(client), client::toString);
      }
      client.finishAfterAll();
    }
  }

  /** The worker's room is free at once, and the next session gets it. */
  @Test
  void aProgramKeepsItsBytesWhenItsWorkerIsLost() throws Exception {
    Map<String, String> variables = variables(BACKEND.further(), MEMORY);
    List<String> program = List.of(Home.PROGRAMS.resolve("mapped").toString(), "kept");
    try (Steady client = Steady.start(program, variables)) {
      client.awaitProgress();
      assertEquals(1, ranges(client), client::toString);
      ProcessHandle worker = BACKEND.worker(client.process());
      worker.destroyForcibly();
      Patience.until("its worker has gone", () -> !worker.isAlive());
      Program.prints("ok", "mapped", "many", variables);
      client.finishAfterAll();
    }
  }

  /** Ranges of the later half that it has mapped. */
  private static long ranges(Steady client) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + client.process().pid() + "/maps")).stream()
        .filter(line -> line.endsWith(MEMORY.toString()))
        .filter(line -> Long.parseLong(line.split(" ", 4)[2], 16) >= 32 << 20)
        .count();
  }

  @Test
  void aListenerHasMemoryOfOneKind() throws Exception {
    List<String> command = new ArrayList<>(Backend.fromSources(BACKEND.folder()));
    String memory = "tcp://127.0.0.1:1=/m";
    command.addAll(List.of("serve", "--listen=tcp://127.0.0.1:1"));
    command.addAll(List.of("--ivshmem=" + memory, "--ivshmem-fixed=" + memory));
    Program.Ended ended = Program.run(command, Map.of());
    assertEquals(2, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("--ivshmem-fixed too"), ended::toString);
  }
}
