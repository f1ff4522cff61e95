// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a domain of Xen's over pages, with a backend in domain 0 itself; without Xen. */
final class XenTest {
  private static final int BOUND = 64;
  private static final int MORE = 8;

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir static Path folder;

  private static Domains domains;

  @BeforeAll
  static void boot() throws IOException {
    domains = new Domains(folder, BACKEND.tcp());
  }

  @AfterAll
  static void switchOff() throws Exception {
    domains.close();
  }

  private static Program.Ended run(Path program, String token, String... words) throws Exception {
    return Program.run(domains.command(program, words), domains.variables(BACKEND, token));
  }

  private static Steady startSteady() throws IOException {
    return Steady.start(
        domains.command(Home.PROGRAMS.resolve("steady")),
        domains.variables(BACKEND, BACKEND.token()));
  }

  private static void awaitNoConnections() throws Exception {
    Patience.until("connections end", () -> domains.connections() == 0);
  }

  @Test
  void aProgramOfTheDomainRuns() throws Exception {
    Program.Ended ended = run(Home.VECTOR_ADD, BACKEND.token());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  /** Through the companion. */
  @Test
  void aClientOnTheJvmInTheDomainRuns() throws Exception {
    List<String> command = new ArrayList<>(Backend.fromSources(domains.folder()));
    command.add("devices");
    Program.Ended ended =
        Program.run(command, BACKEND.variables(domains.relay(), BACKEND.token(), domains.folder()));
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(ended.output().contains("Outboard Software GPU"), ended::toString);
  }

  /** Domain 0 vouches for nobody inside of the domain, even to a backend beside it. */
  @Test
  void aTokenIsWanted() throws Exception {
    Program.Ended without = run(Home.VECTOR_ADD, "");
    assertTrue(without.errors().contains("the backend wants a token"), without::toString);
    Program.Ended wrong = run(Home.VECTOR_ADD, "0".repeat(64));
    assertTrue(wrong.errors().contains("the token is not this backend's"), wrong::toString);
  }

  /** Over the session's connection, and over more of them. */
  @Test
  void largeCopiesArrive() throws Exception {
    Path transfer = Home.PROGRAMS.resolve("transfer");
    for (String connections : List.of("0", "4")) {
      Map<String, String> variables = domains.variables(BACKEND, BACKEND.token());
      variables.put("OUTBOARD_BULK", connections);
      for (String what : List.of("sizes", "threads")) {
        Program.Ended ended = Program.run(domains.command(transfer, what), variables);
        assertEquals(new Program.Ended(0, "ok\n", ""), ended, what + " over " + connections);
      }
    }
  }

  @Test
  void manyProgramsRunAtOnce() throws Exception {
    Path steady = Home.PROGRAMS.resolve("steady");
    List<Future<Program.Ended>> programs = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < Amount.of(4, 12); i++) {
        programs.add(threads.submit(() -> run(steady, BACKEND.token(), "3")));
      }
      for (Future<Program.Ended> program : programs) {
        assertEquals(new Program.Ended(0, "round\n".repeat(3) + "ok\n", ""), program.get());
      }
    }
  }

  /** The kernel tells the program. */
  @Test
  void aSessionSurvivesConnectionsThatAreKilled() throws Exception {
    try (Steady client = startSteady()) {
      client.awaitProgress();
      domains.host().children().forEach(ProcessHandle::destroyForcibly);
      client.awaitSaid("is back");
      client.awaitProgress();
      client.finishAfterAll();
    }
    awaitNoConnections();
  }

  /** The kernel tells domain 0. */
  @Test
  void theConnectionOfAProgramThatIsKilledEnds() throws Exception {
    try (Steady client = startSteady()) {
      client.awaitProgress();
      assertEquals(1, domains.connections());
    }
    awaitNoConnections();
  }

  /** Offers of more are taken once others have ended. */
  @Test
  void connectionsHaveABound(@TempDir Path apart) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 2 * BOUND, InetAddress.getLoopbackAddress());
        Domains crowded = new Domains(apart, "tcp://127.0.0.1:" + silent.getLocalPort())) {
      Deque<SocketChannel> programs = new ArrayDeque<>();
      connect(programs, BOUND, crowded);
      Patience.until("all", () -> crowded.connections() == BOUND);
      connect(programs, MORE, crowded);
      Patience.until("more wait", () -> crowded.offers() == MORE);
      close(programs, MORE);
      // An offer is taken before the process of its connection is there.
      Patience.until("their turn", () -> crowded.offers() == 0 && crowded.connections() == BOUND);
      close(programs, BOUND);
    }
  }

  private static void connect(Deque<SocketChannel> programs, int count, Domains over)
      throws IOException {
    var relay = UnixDomainSocketAddress.of(over.relay().substring("relay:".length()));
    for (int i = 0; i < count; i++) {
      programs.add(SocketChannel.open(relay));
    }
  }

  private static void close(Deque<SocketChannel> programs, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      programs.remove().close();
    }
  }
}
