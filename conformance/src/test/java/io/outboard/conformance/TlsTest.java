// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Programs on a backend at {@code tls://}, through the companion that encrypts for them. */
final class TlsTest {
  /** Beside the corpus over the other communicators: each costs a companion. */
  private static final int PROGRAMS = Amount.of(1, 1_000);

  private static final int MET_AN_ERROR = 3;

  /** Of outboard-run, where the backend would not serve the program. */
  private static final int UNUSABLE = 126;

  /** More than a handshake sends, so that it is a session that the fault meets. */
  private static final int HANDSHAKE = 8_000;

  private static final int BYTES = 400_000;

  private static Certificates certificates;

  @RegisterExtension static final Backend BACKEND = backend();

  @TempDir private Path home;

  private static Backend backend() {
    try {
      Path folder = Folders.make("outboard-certificates");
      certificates = new Certificates(folder);
      Path chain = certificates.write("server", certificates.server("localhost", "127.0.0.1"));
      return new Backend(
              "software", "--listen=tls://127.0.0.1:0", "--tls-cert=" + chain, "--grace=0")
          .withFolder(folder);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, String> variables() throws IOException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(BACKEND.further()));
    variables.put("OUTBOARD_CA", certificates.ca().toString());
    variables.put("XDG_RUNTIME_DIR", home.toString());
    variables.remove("OUTBOARD_SHM");
    return variables;
  }

  private static List<String> run(String uri, String... program) {
    List<String> command = new ArrayList<>();
    command.add(Home.TOOLS.resolve("outboard-run").toString());
    command.addAll(List.of("--on", uri, "--"));
    command.addAll(List.of(program));
    return command;
  }

  /** The companion ends with the program, and leaves nothing. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    Patience.until("the companion's end", () -> isEmpty(home));
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  @TestFactory
  Stream<DynamicTest> programsRun() throws IOException {
    return Home.examples("driver")
        .limit(PROGRAMS)
        .map(program -> dynamicTest(program.getFileName().toString(), () -> runs(program)));
  }

  private void runs(Path program) throws Exception {
    Program.Ended ended = Program.run(run(BACKEND.further(), program.toString()), variables());
    assertTrue(!ConformanceTable.outcome(ended.status()).equals("failed"), ended::toString);
    assertEquals("", ended.errors(), ended::toString);
  }

  @TestFactory
  Stream<DynamicTest> largeCopiesGoOverConnectionsOfTheirOwn() throws IOException {
    Map<String, String> variables = variables();
    variables.put("OUTBOARD_BULK", "3");
    return cases(variables, "transfer", "sizes", "threads", "large-in-order", "behind-a-wait");
  }

  /** Its pages travel, as over every communicator that shares no memory. */
  @TestFactory
  Stream<DynamicTest> managedMemoryIsThere() throws IOException {
    return Stream.concat(
        cases(variables(), "managed", "in-turns", "variables"),
        cases(variables(), "pages", "functions", "system-calls"));
  }

  private static Stream<DynamicTest> cases(
      Map<String, String> variables, String program, String... topics) {
    List<String> command = run(BACKEND.further(), Home.PROGRAMS.resolve(program).toString());
    return Cases.with(command, variables, program + " over tls", topics);
  }

  @Test
  void theTokenIsWantedToo() throws Exception {
    Map<String, String> variables = variables();
    variables.put("OUTBOARD_TOKEN", "0".repeat(64));
    Program.Ended ended =
        Program.run(run(BACKEND.further(), Home.VECTOR_ADD.toString()), variables);
    assertEquals(UNUSABLE, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("token"), ended::toString);
    assertTrue(ended.errors().contains("(from --on tls://"), ended::toString);
  }

  @Test
  void theCommandsKnowIt() throws Exception {
    Launcher outboard = new Launcher(Files.createDirectory(certificates.ca().resolveSibling("h")));
    outboard.set("OUTBOARD_CA", certificates.ca().toString());
    outboard.set("OUTBOARD_TOKEN", BACKEND.token());
    Program.Ended devices = outboard.run("devices", "--on", BACKEND.further());
    assertTrue(devices.output().contains("Outboard Software GPU"), devices::toString);
    Program.Ended ran = outboard.run("run", "--on", BACKEND.further(), Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ran);
    Program.Ended wrong = outboard.run("env", "--on", BACKEND.further());
    assertTrue(wrong.errors().contains("outboard run --on"), wrong::toString);
  }

  @Test
  void whoSpeaksPlainlyIsToldSo() throws Exception {
    Map<String, String> variables = variables();
    variables.put("OUTBOARD", BACKEND.further().replace("tls:", "tcp:"));
    Program.Ended plain = Program.run(List.of(Home.VECTOR_ADD.toString()), variables);
    assertTrue(plain.errors().contains("it speaks TLS alone: say tls://"), plain::toString);
    variables.put("OUTBOARD", BACKEND.further());
    Program.Ended alone = Program.run(List.of(Home.VECTOR_ADD.toString()), variables);
    assertTrue(alone.errors().contains("outboard-run"), alone::toString);
  }

  @Test
  void aConnectionIsRightOrAnError() throws Exception {
    Random random = new Random(20261121);
    Fault[] faults = Fault.values();
    for (int i = 0; i < Amount.of(3, 30); i++) {
      Fault fault = faults[i % faults.length];
      through(fault, random.nextLong(), HANDSHAKE + random.nextInt(BYTES));
    }
  }

  private void through(Fault fault, long seed, long whole) throws Exception {
    String steady = Home.PROGRAMS.resolve("steady").toString();
    try (Proxy proxy = new Proxy(BACKEND.further(), fault, seed, whole)) {
      Program.Ended ended = Program.run(run(proxy.endpoint("tls"), steady, "3"), variables());
      if (ended.status() == 0) {
        assertTrue(ended.output().endsWith("ok\n"), ended::toString);
      } else {
        assertTrue(fault != Fault.DELAY, ended::toString);
        assertTrue(Set.of(MET_AN_ERROR, UNUSABLE).contains(ended.status()), ended::toString);
        assertTrue(ended.errors().contains("is lost"), ended::toString);
      }
    }
  }
}
