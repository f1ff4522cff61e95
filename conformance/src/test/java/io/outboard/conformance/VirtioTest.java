// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs behind a virtio-serial port, for which two Unix sockets stand. */
final class VirtioTest {
  private static final String URI = "virtio:outboard.0";
  private static final int ROUNDS = 40;
  private static final Path FOLDER = Folders.make("outboard-port");

  @RegisterExtension
  static final Backend BACKEND =
      new Backend("software", "--listen=virtio:" + FOLDER.resolve("host.sock")).withFolder(FOLDER);

  private static StandInPort port;
  private static Process companion;

  @BeforeAll
  static void boot() throws IOException {
    port = new StandInPort(FOLDER);
    companion = startCompanion();
  }

  private static Process startCompanion() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Home.TOOLS.resolve("outboard-connect").toString(),
                "--port=" + port.guest().path(),
                URI)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    Program.setVariables(builder, Map.of("XDG_RUNTIME_DIR", FOLDER.toString()));
    Process process = builder.start();
    String socket = FOLDER.resolve("outboard/virtio-outboard.0.sock").toString();
    assertEquals("relay:" + socket, process.inputReader(UTF_8).readLine());
    return process;
  }

  @AfterAll
  static void switchOff() throws Exception {
    companion.destroy();
    assertEquals(0, Patience.exit(companion));
    port.close();
  }

  private static Map<String, String> variables(String token) throws IOException {
    return BACKEND.variables(URI, token, FOLDER);
  }

  private static Program.Ended run(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(words));
    command.set(0, Home.PROGRAMS.resolve(words[0]).toString());
    return Program.run(command, variables(BACKEND.token()));
  }

  @Test
  void aProgramInTheGuestRuns() throws Exception {
    Program.Ended ended =
        Program.run(List.of(Home.VECTOR_ADD.toString()), variables(BACKEND.token()));
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void aClientOnTheJvmInTheGuestRuns() throws Exception {
    List<String> command = new ArrayList<>(Backend.fromSources(FOLDER));
    command.add("devices");
    Program.Ended ended = Program.run(command, variables(BACKEND.token()));
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(ended.output().startsWith("backend " + URI + " (from OUTBOARD)"), ended::toString);
    assertTrue(ended.output().contains("Outboard Software GPU"), ended::toString);
  }

  @Test
  void aTokenIsWanted() throws Exception {
    Program.Ended without = Program.run(List.of(Home.VECTOR_ADD.toString()), variables(""));
    assertTrue(without.errors().contains("the backend wants a token"), without::toString);
    Program.Ended wrong =
        Program.run(List.of(Home.VECTOR_ADD.toString()), variables("0".repeat(64)));
    assertTrue(wrong.errors().contains("the token is not this backend's"), wrong::toString);
  }

  @Test
  void largeCopiesArrive() throws Exception {
    for (String what : List.of("sizes", "threads")) {
      assertEquals(new Program.Ended(0, "ok\n", ""), run("transfer", what), what);
    }
  }

  @Test
  void pagesOfManagedMemoryTravel() throws Exception {
    assertEquals(new Program.Ended(0, "ok\n", ""), run("managed", "in-turns"));
    assertEquals(new Program.Ended(0, "ok\n", ""), run("pages", "functions"));
  }

  @Test
  void manyProgramsShareThePort() throws Exception {
    List<Future<Program.Ended>> programs = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < Amount.of(6, 32); i++) {
        programs.add(threads.submit(() -> run("steady", "3")));
      }
      for (Future<Program.Ended> program : programs) {
        assertEquals(new Program.Ended(0, "round\n".repeat(3) + "ok\n", ""), program.get());
      }
    }
  }

  /** Of the same program with and without cuts the results are the same. */
  @Test
  void aSessionSurvivesAPortThatIsClosedAndOpenedAgain() throws Exception {
    Random random = new Random(20261125);
    String rounds = Integer.toString(ROUNDS);
    String uncut = run("steady", rounds).output();
    for (int i = 0; i < Amount.of(4, 100); i++) {
      StandInPort.Side side = random.nextBoolean() ? port.guest() : port.host();
      side.cutAfter(100_000 + random.nextInt(2_000_000));
      Program.Ended ended = run("steady", rounds);
      side.cutAfter(Long.MAX_VALUE);
      assertEquals(0, ended.status(), ended::toString);
      assertEquals(uncut, ended.output(), ended::toString);
      assertTrue(ended.errors().contains("is back"), ended::toString);
    }
  }

  /** Bytes that are nobody's: of a program before, or of a hypervisor that has lost some. */
  @Test
  void bytesOfAnotherEpochReachNobody() throws Exception {
    Random random = new Random(20261126);
    byte[] stale = new byte[100_000];
    String rounds = Integer.toString(ROUNDS);
    String uncut = run("steady", rounds).output();
    for (StandInPort.Side side : List.of(port.guest(), port.host())) {
      random.nextBytes(stale);
      side.mixAfter(300_000, stale);
      Program.Ended ended = run("steady", rounds);
      assertTrue(ended.errors().contains("is back"), ended::toString);
      assertEquals(uncut, ended.output(), ended::toString);
      assertEquals(0, ended.status(), ended::toString);
    }
  }

  @Test
  void aCompanionThatIsKilledComesAgain() throws Exception {
    companion.destroyForcibly().waitFor();
    companion = startCompanion();
    aProgramInTheGuestRuns();
  }

  @Test
  void aSessionSurvivesACompanionThatIsKilled() throws Exception {
    try (Steady client = Steady.start(variables(BACKEND.token()))) {
      client.awaitProgress();
      companion.destroyForcibly().waitFor();
      companion = startCompanion();
      client.awaitSaid("is back");
      client.awaitProgress();
      client.finishAfterAll();
    }
  }

  @Test
  void aSessionSurvivesADaemonThatIsKilled() throws Exception {
    try (Steady client = Steady.start(variables(BACKEND.token()))) {
      client.awaitProgress();
      BACKEND.daemon().destroyForcibly();
      BACKEND.daemon().onExit().join();
      BACKEND.startAgain();
      client.awaitSaid("is back");
      client.awaitProgress();
      client.finishAfterAll();
    }
  }
}
