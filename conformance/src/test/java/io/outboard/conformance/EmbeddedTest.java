// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code outboard run} where no backend is found: the program gets one that ends with it. */
final class EmbeddedTest {
  private static final long SIGINT = 1 << 1;
  private static final String VECTOR_ADD = Home.VECTOR_ADD.toString();

  @TempDir private Path home;
  private Launcher outboard;

  @BeforeEach
  void makeHome() throws IOException {
    assumeFalse(Files.exists(Path.of("/run/outboard/outboard.sock")), "this machine has a backend");
    outboard = new Launcher(home);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    Patience.until(() -> "left: " + temporary(), () -> temporary().isEmpty());
  }

  private List<Path> temporary() {
    try (Stream<Path> files = Files.list(outboard.temporary())) {
      return files.toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assumeNoGpu() {
    assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has an NVIDIA GPU");
  }

  @Test
  void theFallbackIsSaidInOneLine() throws Exception {
    assumeNoGpu();
    Program.Ended ended = outboard.run("run", "--", VECTOR_ADD);
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output());
    assertEquals(
        "outboard: there is no NVIDIA GPU that can be used here; this is the software GPU\n",
        ended.errors());
    assertEquals(0, ended.status());
  }

  @Test
  void theSoftwareGpuThatWasAskedForIsNoFallback() throws Exception {
    Program.Ended ended = outboard.run("run", "--device=software:2", VECTOR_ADD);
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void whereThereIsNoGpuNvidiaFailsBeforeTheProgram() throws Exception {
    assumeNoGpu();
    Program.Ended ended = outboard.run("run", "--device", "nvidia", "--", "echo", "I ran");
    assertEquals(1, ended.status());
    assertEquals("", ended.output());
    assertTrue(ended.errors().contains("this backend has no NVIDIA GPU"), ended::toString);
  }

  @Test
  void whatIsNoDeviceIsWrongUsage() throws Exception {
    Program.Ended ended = outboard.run("run", "--device", "nvida", "--", "true");
    assertEquals(2, ended.status());
    assertTrue(ended.errors().contains("'nvida' is not a device"), ended::toString);
  }

  @Test
  void aProgramThatIsNotThereIs127AndOneThatCannotRunIs126() throws Exception {
    Path file = Files.writeString(home.resolve("text"), "");
    for (String absent : List.of("absent", home.resolve("absent").toString())) {
      Program.Ended ended = outboard.run("run", "--", absent);
      assertEquals(127, ended.status(), ended::toString);
      assertTrue(ended.errors().startsWith("outboard: " + absent + ": "), ended::toString);
    }
    for (Path useless : List.of(file, home)) {
      Program.Ended ended = outboard.run("run", "--", useless.toString());
      assertEquals(126, ended.status(), ended::toString);
      assertTrue(ended.errors().startsWith("outboard: " + useless + ": "), ended::toString);
    }
  }

  @Test
  void theProgramTakesTheLaunchersPlace() throws Exception {
    Process program =
        outboard.start("run", "--", "sh", "-c", "cat; echo $$; echo wrong >&2; exit 37");
    try (OutputStream in = program.getOutputStream()) {
      in.write("typed\n".getBytes(UTF_8));
    }
    String output = new String(program.getInputStream().readAllBytes(), UTF_8);
    assertEquals(37, program.waitFor());
    assertEquals("typed\n" + program.pid() + "\n", output);
    assertEquals("wrong\n", outboard.errors());
  }

  @Test
  void theProgramsSignalIsTheStatus() throws Exception {
    assertEquals(
        128 + 15, outboard.start("run", "--", "sh", "-c", "kill -TERM $$").waitFor(), "SIGTERM");
  }

  @Test
  void theBackendIsNoneOfTheProgramsChildren() throws Exception {
    Program.Ended ended =
        outboard.run("run", "--", "sh", "-c", "exec cat /proc/$$/task/$$/children");
    assertEquals(new Program.Ended(0, "", ""), ended);
  }

  @Test
  void theTerminalsInterruptIsTheProgramsAlone() throws Exception {
    assumeFalse(interruptsAreIgnored(), "what runs these tests ignores interrupts");
    String waits = "trap 'exec \"$0\"' INT; echo ready; while :; do sleep 0.05; done";
    Process program =
        outboard.start("run", "--device=software", "--", "sh", "-c", waits, VECTOR_ADD);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8))) {
      assertEquals("ready", lines.readLine());
      signal("INT", -program.pid());
      assertEquals(Home.VECTOR_ADD_PASSED.strip(), lines.readLine(), "on the same backend");
    }
    assertEquals(0, program.waitFor());
  }

  @Test
  void theBackendEndsWithAProgramThatIsKilled() throws Exception {
    Process program =
        outboard.start(
            "run", "--device=software", "--", Home.PROGRAMS.resolve("steady").toString());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8))) {
      assertEquals("round", lines.readLine(), outboard.errors());
      BackendProcesses backend = BackendProcesses.inFolder(temporary().getFirst());
      assertTrue(backend.count() >= 2, "a daemon and its worker");
      signal("KILL", program.pid());
      Patience.until(() -> backend + " live on", () -> backend.count() == 0);
    }
    assertEquals(128 + 9, program.waitFor());
  }

  /** As in a background job of a shell; no program that is started from there can change that. */
  private static boolean interruptsAreIgnored() throws IOException {
    String ignored =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .findFirst()
            .orElseThrow();
    return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16) & SIGINT)
        != 0;
  }

  private static void signal(String name, long process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "--", Long.toString(process)).start().waitFor();
  }
}
