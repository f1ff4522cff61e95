// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One of the programs {@code steady…}, or {@code training}: a client that goes on until it is told
 * to end, or meets an error.
 */
final class Steady implements AutoCloseable {
  /** Fewer rounds, for tests of what is around the program: each round costs a worker something. */
  static final Map.Entry<String, String> SELDOM = Map.entry("STEADY_PAUSE_MS", "100");

  private static final int MET_AN_ERROR = 3;

  private final Path output = Files.createTempFile("steady", ".txt");
  private final Path errors = Files.createTempFile("steady", ".err");
  private final Process process;

  private Steady(List<String> command, Map<String, String> variables) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("OUTBOARD"));
    builder.environment().putAll(variables);
    builder
        .environment()
        .put("LD_LIBRARY_PATH", Home.LIBRARIES + ":" + Home.LIBRARIES.resolve("opencl"));
    process = builder.start();
  }

  /** Starts the one that uses CUDA. */
  static Steady start(Backend backend, String endpoint) throws IOException {
    return start("steady", backend, endpoint);
  }

  static Steady start(String program, Backend backend, String endpoint) throws IOException {
    return start(List.of(Home.PROGRAMS.resolve(program).toString()), backend.variables(endpoint));
  }

  /** Starts the one that uses CUDA, with other variables. */
  static Steady start(Map<String, String> variables) throws IOException {
    return start(List.of(Home.PROGRAMS.resolve("steady").toString()), variables);
  }

  /** Starts a command that becomes one. */
  static Steady start(List<String> command, Map<String, String> variables) throws IOException {
    return new Steady(command, variables);
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  /** Waits until it has made another round since now. */
  void awaitProgress() throws Exception {
    long before = rounds();
    Patience.until("a round of " + this, () -> rounds() > before);
  }

  /** The same of one that perhaps was not served yet, and meets an error then. */
  void awaitProgressOrLoss() throws Exception {
    long before = rounds();
    Patience.until("a round of " + this, () -> rounds() > before || !process.isAlive());
    if (!process.isAlive()) {
      awaitLoss();
    } else {
      finishAfterAll();
    }
  }

  private long rounds() throws IOException {
    return Files.size(output);
  }

  /** Its standard output up to now. */
  String output() throws IOException {
    return Files.readString(output);
  }

  /** Its standard error up to now. */
  String errors() throws IOException {
    return Program.said(errors);
  }

  /** Tells it to end, which it does with all results right, and nothing said meanwhile. */
  void finish() throws Exception {
    finishAfterAll();
    assertEquals("", errors(), this::toString);
  }

  /** The same of one that may have said something. */
  void finishAfterAll() throws Exception {
    process.getOutputStream().close();
    assertEquals(0, Patience.exit(process, this::toString), this::toString);
    assertTrue(Files.readString(output).endsWith("ok\n"), this::toString);
  }

  /** Waits for the error that the loss of the backend is, with one line that says why. */
  void awaitLoss() throws Exception {
    assertEquals(MET_AN_ERROR, Patience.exit(process, this::toString), this::toString);
    List<String> said = errors().lines().toList();
    assertEquals(1, said.size(), this::toString);
    assertTrue(said.getFirst().startsWith("outboard: "), this::toString);
    assertSeenAtOnce();
  }

  /** The same of one that is to say nothing. */
  void awaitSilentLoss() throws Exception {
    assertEquals(MET_AN_ERROR, Patience.exit(process, this::toString), this::toString);
    assertEquals("", errors(), this::toString);
  }

  /** The same of one that tried to come back first, and was told that its session is gone. */
  void awaitGone(String why) throws Exception {
    assertEquals(MET_AN_ERROR, Patience.exit(process, this::toString), this::toString);
    assertTrue(
        errors().lines().toList().getLast().contains("its session is gone: it has ended: " + why),
        this::toString);
    assertSeenAtOnce();
  }

  /** By the end of the connection, and not because nothing came over it for long. */
  private void assertSeenAtOnce() throws IOException {
    assertFalse(errors().contains("is silent"), this::toString);
  }

  /** Waits until it has said something. */
  void awaitSaid(String what) throws Exception {
    Patience.until(() -> what + ": " + this, () -> errors().contains(what));
  }

  @Override
  public String toString() {
    try {
      String rounds = Files.readString(output).replaceAll("(?:round\n)+", "rounds, ");
      String status = process.isAlive() ? "runs" : "status " + process.exitValue();
      String said = Files.readString(errors);
      return "client %d, %s: %s%s".formatted(process.pid(), status, rounds, said);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.delete(output);
    Files.delete(errors);
  }
}
