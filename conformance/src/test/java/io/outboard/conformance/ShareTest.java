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
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Programs whose leases share a device, each in a process of its own: their shares of its time in
 * some seconds. How much they compute in that is the machine's matter.
 */
final class ShareTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software", "--grace=0");

  /** About a millisecond. */
  private static final String STEPS = "1000000";

  /** What they call is metered in ways of its own; the other examples only launch and copy. */
  private static final Set<String> IN_EACH_BUILD =
      Set.of("cooperative", "graphs", "perThread", "processes", "streams", "threads", "vectorAdd");

  /** So much work of the device shows who has more of it. */
  private static final long WORK_MS = 1_500;

  private static final long PAUSE_MS = 500;

  private final Leases leases = new Leases(BACKEND);
  private final List<Computing> programs = new ArrayList<>();

  /** A program that computes as much as it is let. */
  private final class Computing {
    private final Form lease;
    private final Process process;
    private final BufferedReader lines;
    private int share;

    Computing(int share) throws IOException {
      this(leases.request(new Form().with("gpus", 1).with("share", share).with("memory", 1 << 26)));
    }

    Computing(Form lease) throws IOException {
      this.lease = lease;
      this.share = Math.toIntExact(lease.number("share", 0));
      ProcessBuilder builder = new ProcessBuilder(Home.PROGRAMS.resolve("share").toString(), STEPS);
      setVariables(builder, leases.variables(BACKEND.endpoints().getFirst(), lease));
      process = builder.start();
      lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
      programs.add(this);
    }

    /** Waits until its first kernels are done. */
    void computes() throws IOException {
      OutputStream to = process.getOutputStream();
      to.write('\n');
      to.flush();
      String line = lines.readLine();
      assertTrue(line != null && line.matches("[1-9][0-9]*"), () -> "it ended: " + line);
    }

    /** Also ends a row of the ledger. */
    void share(int now) throws IOException {
      share = now;
      List<Form> unused =
          leases.ask("renew", new Form().with("id", lease.get("id")).with("share", share));
    }

    /** For how many milliseconds the device was busy with it, in its last row. */
    long busyInLastRow() throws IOException {
      return leases.usage(lease).getLast().number("busy", 0);
    }
  }

  @AfterEach
  void end() throws Exception {
    for (Computing program : programs) {
      program.process.destroyForcibly().waitFor();
    }
    Patience.until("nobody has devices", leases::releaseAll);
  }

  /** How many milliseconds each has had of the device, as the ledger says: of the same time. */
  private List<Long> had(Computing... of) throws Exception {
    for (Computing program : of) {
      program.computes();
    }
    for (Computing program : of) {
      program.share(program.share);
    }
    List<Long> had = new ArrayList<>(Collections.nCopies(of.length, 0L));
    while (had.stream().mapToLong(Long::longValue).sum() < WORK_MS) {
      Thread.sleep(PAUSE_MS);
      for (int i = 0; i < of.length; i++) {
        of[i].share(of[i].share);
        had.set(i, had.get(i) + of[i].busyInLastRow());
      }
    }
    return had;
  }

  /** The one measurement among real processes; SliceMeterTest has all others on its own clock. */
  @Test
  void theyGetTheirSharesAlsoWhenTheseChange() throws Exception {
    Computing large = new Computing(750);
    Computing small = new Computing(250);
    List<Long> before = had(large, small);
    assertTrue(before.getFirst() > before.getLast(), before::toString);
    large.share(250);
    small.share(750);
    List<Long> after = had(large, small);
    assertTrue(after.getFirst() < after.getLast(), after::toString);
  }

  @Test
  void programsOfOneLeaseAndAnotherAllCompute() throws Exception {
    Computing first = new Computing(500);
    Computing second = new Computing(first.lease);
    Computing other = new Computing(500);
    for (int i = 0; i < 3; i++) {
      first.computes();
      second.computes();
      other.computes();
    }
  }

  @Test
  void whoIsKilledOrReleasedLeavesItsTimeToOthers() throws Exception {
    Computing killed = new Computing(600);
    Computing released = new Computing(300);
    Computing stays = new Computing(100);
    for (Computing program : programs) {
      program.computes();
    }
    killed.process.destroyForcibly().waitFor();
    BACKEND.worker(released.process.toHandle()).destroyForcibly();
    assertEquals(3, released.process.waitFor(), "its calls fail");
    stays.computes();
  }

  private static boolean isForThisBuild(Path program) {
    return Amount.isLong() || IN_EACH_BUILD.contains(program.getFileName().toString());
  }

  /** Streams, graphs, captures, threads: in slices everything is as it is elsewhere. */
  @TestFactory
  Stream<DynamicTest> examplesRunWhileOthersCompute() throws IOException {
    Computing other = new Computing(100);
    Form lease = leases.request(new Form().with("gpus", 1).with("share", 900));
    Map<String, String> variables = leases.variables(BACKEND.endpoints().getFirst(), lease);
    return Stream.concat(Home.examples("driver"), Home.examples("runtime-shared"))
        .filter(ShareTest::isForThisBuild)
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
    large.computes();
    small.computes();
    assertEquals("released", leases.change("release", small.lease).get("state"));
    assertEquals(3, small.process.waitFor());
    large.computes();
  }
}
