// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A program that trains, on a machine whose network comes and goes, and with a backend that is
 * upgraded meanwhile: it comes to the results of a run without cuts, bit for bit. Where network
 * namespaces can be made (root, {@code ip}) and the kernel resets connections ({@code ss -K}).
 */
@Lengthy
final class RoamingTest {
  private static final int PORT = 14900;
  private static final long SEED = 20261125;
  private static final long SHORTEST_MS = 200;
  private static final long LONGEST_MS = 4_000;
  private static final Duration UNCUT = Duration.ofMinutes(10);

  private final Random random = new Random(SEED);
  private VethLink link;
  private Backend backend;

  /** Kinds of loss of the network. */
  private enum Cut {
    AWAY,
    MOVE,
    RESET
  }

  @BeforeEach
  void serve() throws Exception {
    assumeTrue(Program.isHere("ip"), "this machine has no ip (iproute2)");
    assumeTrue(Program.isHere("ss"), "this machine has no ss (iproute2)");
    try {
      link = VethLink.open();
    } catch (IOException e) {
      abort("this machine makes no network namespaces: " + e.getMessage());
    }
    backend =
        new Backend(
            this::command,
            "software",
            "--insecure-tcp",
            "--listen=tcp://" + VethLink.BACKEND + ":" + PORT);
    backend.beforeAll(null);
  }

  private List<String> command(Path temporary) {
    return link.besideBackend(Backend.fromSources(temporary));
  }

  @AfterEach
  void end() throws Exception {
    if (backend != null) {
      backend.afterAll(null);
    }
    if (link != null) {
      link.remove();
    }
  }

  @ParameterizedTest
  @CsvSource({"20,5", "300,20"})
  void aProgramComesToTheSameResults(int seconds, int cuts) throws Exception {
    Leftovers before = Leftovers.ofIdle(backend);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    String trained;
    try (Steady program = start()) {
      program.awaitProgress();
      for (int i = 0; i < cuts; i++) {
        pause((end - System.nanoTime()) / (cuts - i));
        cut(Cut.values()[random.nextInt(Cut.values().length)]);
        if (i == cuts / 2) {
          upgrade();
        }
        program.awaitProgress();
      }
      program.finishAfterAll();
      trained = program.output();
      assertTrue(returns(program) >= cuts / 2, program::toString);
    }
    assertEquals(uncut(steps(trained)), trained);
    before.awaitSame();
  }

  private Steady start() throws IOException {
    String endpoint = backend.further();
    Map<String, String> variables = new HashMap<>(backend.variables(endpoint));
    variables.put("OUTBOARD_BULK", "3");
    return Steady.start(link.besideProgram(List.of(program())), variables);
  }

  private static String program() {
    return Home.PROGRAMS.resolve("training").toString();
  }

  private static void pause(long most) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(most);
  }

  private void cut(Cut how) throws Exception {
    switch (how) {
      case AWAY -> {
        link.down();
        TimeUnit.MILLISECONDS.sleep(random.nextLong(SHORTEST_MS, LONGEST_MS));
        link.up();
      }
      case MOVE -> link.move();
      case RESET -> link.reset(PORT);
    }
  }

  private void upgrade() throws IOException {
    ProcessHandle old = backend.daemon();
    backend.replace();
    assertFalse(old.isAlive());
  }

  /** A link that is away for a short time may leave a connection as it is. */
  private static long returns(Steady program) throws IOException {
    return program.errors().lines().filter(line -> line.contains("is back")).count();
  }

  private static long steps(String output) {
    return output.lines().filter(line -> line.startsWith("step ")).count();
  }

  private String uncut(long steps) throws Exception {
    List<String> command = List.of(program(), Long.toString(steps));
    String endpoint = backend.endpoints().get(1);
    Program.Ended ended = Program.run(command, backend.variables(endpoint), UNCUT);
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(steps > 0, ended::toString);
    return ended.output();
  }
}
