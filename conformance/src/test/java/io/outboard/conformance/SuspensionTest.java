// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs whose lease is suspended, from the command to the device and back. */
final class SuspensionTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:a100*2", "--grace=0");

  /** So many steps have a call that waits for the device among them. */
  private static final int WAITING = 5;

  private static final int SUSPENSIONS = 10;
  private static final int STEPS = 80;

  private static String undisturbed;

  private final Leases leases = new Leases(BACKEND);
  private final List<Stepping> started = new ArrayList<>();
  private Form lease;

  /** A program that waits before each of its steps to be let go on. */
  private static final class Stepping {
    private final Process process;
    private final BufferedReader lines;
    private final BufferedReader errors;
    private int step = 1;

    Stepping(Map<String, String> variables, String memory) throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(
              Home.PROGRAMS.resolve("steps").toString(), Integer.toString(STEPS), memory);
      Program.setVariables(builder, variables);
      process = builder.start();
      errors = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
      lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    void let(int steps) throws IOException {
      process.getOutputStream().write("\n".repeat(steps).getBytes(UTF_8));
      process.getOutputStream().flush();
      step += steps;
    }

    /** Until it has said the step that it has been let go to. */
    void await() throws IOException {
      String line;
      do {
        line = lines.readLine();
        assertNotNull(line, () -> "it ended before step " + step);
      } while (!line.equals("step " + step));
    }

    void go(int steps) throws IOException {
      let(steps);
      await();
    }

    /** The next line on its standard error. */
    String error() throws IOException {
      return errors.readLine();
    }

    /** Lets it go on to its end; returns the last line. */
    String finish() throws Exception {
      process.getOutputStream().close();
      String last = lines.lines().reduce("", (_, line) -> line);
      assertEquals(0, process.waitFor());
      return last;
    }
  }

  @BeforeEach
  void makeLease() throws IOException {
    lease = leases.request(new Form());
  }

  @AfterEach
  void releaseAll() throws Exception {
    for (Stepping program : started) {
      program.process.destroyForcibly().waitFor();
    }
    Patience.until("nobody has devices", leases::releaseAll);
    Patience.until("one worker is left", () -> BACKEND.daemon().children().count() == 1);
    try (Stream<Path> files = Files.walk(BACKEND.folder())) {
      assertEquals(
          List.of(), files.filter(file -> file.toString().contains("outboard-suspended")).toList());
    }
  }

  private Stepping start(Form of) throws Exception {
    return start(of, BACKEND.endpoints().getFirst(), "device");
  }

  private Stepping start(Form of, String endpoint, String memory) throws Exception {
    Stepping program = new Stepping(leases.variables(endpoint, of), memory);
    started.add(program);
    program.await();
    return program;
  }

  /** The last line of one that nobody suspends, which is the same each time. */
  private String undisturbed() throws Exception {
    if (undisturbed == null) {
      undisturbed = start(lease).finish();
    }
    return undisturbed;
  }

  /** One that has done something and is suspended. */
  private Stepping suspended() throws Exception {
    Stepping program = start(lease);
    program.go(WAITING);
    assertEquals("suspended", leases.suspendUntilCall(lease).get("state"));
    return program;
  }

  private String state() throws IOException {
    return leases.find(lease).get("state");
  }

  @Test
  void tenSuspensionsChangeNothing() throws Exception {
    String undisturbed = undisturbed();
    assertTrue(undisturbed.startsWith("end "), undisturbed);
    Random random = new Random(20261121);
    Stepping program = start(lease);
    for (int number = 0; number < SUSPENSIONS; number++) {
      program.go(1 + random.nextInt(2));
      if (number % 2 == 0) {
        betweenSteps(program, number % 4 == 0);
      } else {
        program.let(WAITING);
        Thread.sleep(random.nextInt(30));
        leases.suspendUntilCall(lease);
        program.await();
      }
    }
    assertEquals(undisturbed, program.finish());
  }

  /** Records of the time before it, and of the time behind it, are all there. */
  @Test
  void whatDevicesRecordSurvivesIt() throws Exception {
    Path undisturbed = traced(_ -> {});
    Path suspended = traced(program -> leases.suspendUntilCall(lease));
    List<String> work = work(undisturbed);
    assertEquals(STEPS, work.stream().filter("mix"::equals).count());
    assertEquals(work, work(suspended));
  }

  private Path traced(Disturbance disturbs) throws Exception {
    Path file = Files.createTempFile("outboard-trace", ".json");
    Files.delete(file);
    Map<String, String> variables =
        new HashMap<>(leases.variables(BACKEND.endpoints().getFirst(), lease));
    variables.put("OUTBOARD_TRACE", file.toString());
    Stepping program = new Stepping(variables, "device");
    started.add(program);
    program.await();
    program.go(WAITING);
    disturbs.by(program);
    program.go(WAITING);
    program.finish();
    return file;
  }

  /** Something that happens between two steps of a program. */
  @FunctionalInterface
  private interface Disturbance {
    void by(Stepping program) throws Exception;
  }

  /** The work that devices have done, in its order. */
  private static List<String> work(Path trace) throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode event : new ObjectMapper().readTree(trace.toFile())) {
      if (event.path("cat").asText().equals("device")) {
        names.add(event.get("name").asText());
      }
    }
    Files.delete(trace);
    return names;
  }

  /** Shared, or by pages: a page that the program touches brings its lease back. */
  @Test
  void managedMemoryIsPutAsideToo() throws Exception {
    String undisturbed = undisturbed();
    for (String endpoint : BACKEND.endpoints()) {
      Stepping program = start(lease, endpoint, "managed");
      for (int number = 0; number < Amount.of(3, SUSPENSIONS); number++) {
        program.go(1 + number % 3);
        betweenSteps(program, number % 4 == 0);
      }
      assertEquals(undisturbed, program.finish(), endpoint);
    }
  }

  private void betweenSteps(Stepping program, boolean byCommand) throws IOException {
    assertEquals("suspended", leases.suspendUntilCall(lease).get("state"));
    if (byCommand) {
      assertEquals("active", leases.change("resume", lease).get("state"));
    }
    program.go(WAITING);
    assertEquals("active", state());
  }

  @Test
  void aHeldLeaseStaysSoUntilItIsResumedAndItsProgramSaysWhyItWaits() throws Exception {
    String undisturbed = undisturbed();
    Stepping program = start(lease);
    program.go(WAITING);
    assertEquals("held", leases.change("suspend", lease).get("state"));
    program.let(WAITING);
    String id = lease.get("id");
    String line = program.error();
    assertTrue(line.startsWith("outboard: this program waits: lease " + id), line);
    assertTrue(line.contains("'outboard resume " + id + "'"), line);
    Form other = leases.request(new Form());
    assertEquals("granted", other.get("state"), "its device is free for others");
    leases.change("release", other);
    assertEquals("held", state());
    assertEquals("active", leases.change("resume", lease).get("state"));
    program.await();
    assertEquals(undisturbed, program.finish());
    assertNull(program.error(), "it is told once");
  }

  @Test
  void twoLeasesTakeTurns() throws Exception {
    String undisturbed = undisturbed();
    Stepping one = suspended();
    Form other = leases.request(new Form().with("gpus", 2));
    assertEquals("granted", other.get("state"));
    Stepping two = start(other);
    two.go(WAITING);
    for (int turn = 0; turn < 3; turn++) {
      one.let(WAITING);
      leases.suspendUntilCall(other);
      one.await();
      two.let(WAITING);
      leases.suspendUntilCall(lease);
      two.await();
    }
    assertEquals(undisturbed, two.finish());
    leases.change("release", other);
    assertEquals(undisturbed, one.finish());
  }

  @Test
  void itGoesOnOnAnotherDeviceWhereItsOwnIsTaken() throws Exception {
    goesOnElsewhere();
  }

  @Test
  void soDoesOneThatHasAPartOfADevice() throws Exception {
    leases.change("release", lease);
    lease = leases.request(new Form().with("share", 500).with("memory", 1 << 30));
    goesOnElsewhere();
  }

  private void goesOnElsewhere() throws Exception {
    String undisturbed = undisturbed();
    Stepping one = suspended();
    Form other = leases.request(new Form());
    String device = leases.find(lease).get("uuids");
    assertEquals(device, leases.find(other).get("uuids"));
    Stepping two = start(other);
    one.go(WAITING);
    two.go(WAITING);
    assertEquals("active", state());
    assertNotEquals(device, leases.find(lease).get("uuids"));
    assertEquals(undisturbed, one.finish());
    assertEquals(undisturbed, two.finish());
  }

  @Test
  void aClientThatIsKilledLeavesNothing() throws Exception {
    Stepping program = suspended();
    ProcessHandle worker = BACKEND.worker(program.process.toHandle());
    program.process.destroyForcibly().waitFor();
    // The number of workers says nothing: while one is made ready, there may be one fewer.
    worker.onExit().join();
    Patience.until("its session is over", () -> leases.find(lease).number("sessions", 0) == 0);
    assertEquals("suspended", state());
    assertEquals("idle", leases.change("resume", lease).get("state"));
  }

  @Test
  void aWorkerThatIsKilledEndsItsProgram() throws Exception {
    Stepping program = suspended();
    ProcessHandle worker = BACKEND.worker(program.process.toHandle());
    assertTrue(worker.destroyForcibly());
    worker.onExit().join();
    program.process.getOutputStream().close();
    assertNotEquals(0, program.process.waitFor(), "its calls fail");
    assertTrue(start(lease).finish().startsWith("end "), "the lease can be used again");
  }

  @Test
  void aDaemonThatIsKilledLeavesItsSuspendedSessions() throws Exception {
    String undisturbed = undisturbed();
    Stepping program = suspended();
    ProcessHandle daemon = BACKEND.daemon();
    daemon.destroyForcibly();
    daemon.onExit().join();
    BACKEND.startAgain();
    assertEquals("suspended", state());
    program.go(WAITING);
    assertEquals("active", state());
    assertEquals("suspended", leases.suspendUntilCall(lease).get("state"));
    program.let(WAITING);
    program.await();
    assertEquals(undisturbed, program.finish());
  }
}
