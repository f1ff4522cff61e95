// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static io.outboard.conformance.Program.run;
import static io.outboard.conformance.Program.setVariables;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.outboard.conformance.Program.Ended;
import io.outboard.pool.Form;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Programs whose leases share a device, each in a process of its own: what they get of it in some
 * seconds. The bounds are wide, since the software GPU computes as fast as the machine lets it.
 */
@Timeout(300)
final class ShareTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software");

  /** About a millisecond. */
  private static final String STEPS = "1000000";

  private static final long SECONDS_MS = 4_000;
  private static final long SOON_MS = 30_000;

  private final Leases leases = new Leases(BACKEND);
  private final List<Computing> programs = new ArrayList<>();

  /** A program that computes as much as it is let. */
  private final class Computing {
    private final Form lease;
    private final Process process;
    private final BufferedReader lines;
    private long before;

    Computing(int share) throws IOException {
      this(leases.request(new Form().with("gpus", 1).with("share", share).with("memory", 1 << 26)));
    }

    Computing(Form lease) throws IOException {
      this.lease = lease;
      ProcessBuilder builder = new ProcessBuilder(Home.PROGRAMS.resolve("share").toString(), STEPS);
      setVariables(builder, leases.variables(BACKEND.endpoints().getFirst(), lease));
      process = builder.start();
      lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
      programs.add(this);
    }

    void ask() throws IOException {
      OutputStream to = process.getOutputStream();
      to.write('\n');
      to.flush();
    }

    /** Kernels that it has done since this was asked last. */
    long done() throws IOException {
      String line = lines.readLine();
      assertTrue(line != null && line.matches("[0-9]+"), () -> "it ended: " + line);
      long now = Long.parseLong(line);
      long since = now - before;
      before = now;
      return since;
    }

    long busy() throws IOException {
      return leases.ask("usage", new Form()).stream()
          .filter(row -> row.get("lease").equals(lease.get("id")))
          .mapToLong(row -> row.number("busy", 0))
          .sum();
    }
  }

  @AfterEach
  void end() throws Exception {
    for (Computing program : programs) {
      program.process.destroyForcibly().waitFor();
    }
    Wait.until("nobody has devices", SOON_MS, leases::releaseAll);
  }

  private static List<Long> done(List<Computing> of) throws IOException {
    for (Computing program : of) {
      program.ask();
    }
    List<Long> done = new ArrayList<>();
    for (Computing program : of) {
      done.add(program.done());
    }
    return done;
  }

  /** What each does in some seconds, once all of them compute. */
  private static List<Long> work(Computing... of) throws Exception {
    List<Long> unused = done(List.of(of));
    Thread.sleep(SECONDS_MS);
    return done(List.of(of));
  }

  private static void assertRatio(double expected, List<Long> done) {
    double ratio = (double) done.getFirst() / done.getLast();
    assertTrue(expected / 1.5 < ratio && ratio < expected * 1.5, () -> expected + ": " + done);
  }

  @Test
  void theyGetTheirSharesAlsoWhenTheseChange() throws Exception {
    Computing large = new Computing(750);
    Computing small = new Computing(250);
    assertRatio(3, work(large, small));
    leases.ask("renew", new Form().with("id", large.lease.get("id")).with("share", 250));
    assertRatio(1, work(large, small));
    leases.ask("renew", new Form().with("id", small.lease.get("id")).with("share", 750));
    assertRatio(1 / 3.0, work(large, small));
  }

  @Test
  void programsOfOneLeaseHaveItsShareTogether() throws Exception {
    Computing first = new Computing(500);
    Computing second = new Computing(first.lease);
    Computing other = new Computing(500);
    List<Long> done = work(first, second, other);
    // Both at once, and so less each where the machine has few processors.
    assertTrue(
        done.get(0) + done.get(1) < 3 * done.get(2)
            && done.get(2) < 2 * (done.get(0) + done.get(1)),
        done::toString);
  }

  @Test
  void whoIsKilledOrReleasedLeavesItsTimeToOthers() throws Exception {
    Computing killed = new Computing(600);
    Computing released = new Computing(300);
    Computing stays = new Computing(100);
    List<Long> before = work(killed, released, stays);
    assertTrue(before.get(2) * 2 < before.get(0), before::toString);
    killed.process.destroyForcibly().waitFor();
    BACKEND.worker(released.process.toHandle()).destroyForcibly();
    assertEquals(3, released.process.waitFor(), "its calls fail");
    List<Long> after = work(stays);
    assertTrue(after.getFirst() > 3 * before.get(2), () -> before + ", then " + after);
    leases.change("release", killed.lease);
    leases.change("release", stays.lease);
    assertTrue(stays.busy() > SECONDS_MS / 2, () -> "busy time is in the ledger");
  }

  /** Streams, graphs, captures, threads: in slices everything is as it is elsewhere. */
  @TestFactory
  Stream<DynamicTest> examplesRunWhileOthersCompute() throws IOException {
    Computing other = new Computing(100);
    Form lease = leases.request(new Form().with("gpus", 1).with("share", 900));
    Map<String, String> variables = leases.variables(BACKEND.endpoints().getFirst(), lease);
    return Stream.concat(Home.examples("driver"), Home.examples("runtime-shared"))
        .map(
            program ->
                dynamicTest(
                    program.getFileName().toString(),
                    () -> {
                      Ended ended = run(List.of(program.toString()), variables);
                      assertNotEquals(
                          ConformanceTable.FAILED,
                          ConformanceTable.outcome(ended.status()),
                          ended::toString);
                      assertEquals("", ended.errors(), ended::toString);
                      assertTrue(other.process.isAlive());
                    }));
  }

  @Test
  void aLeaseIsReleasedWhileItsProgramsWait() throws Exception {
    Computing large = new Computing(990);
    Computing small = new Computing(10);
    List<Long> unused = work(large, small);
    assertEquals("released", leases.change("release", small.lease).get("state"));
    assertEquals(3, small.process.waitFor());
    assertTrue(work(large).getFirst() > 0);
  }
}
