// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code outboard lease … -- PROGRAM}: a lease for as long as a program runs. */
final class LeasedProgramTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2", "--require-lease");

  private static final int SIGNALLED = 128;
  private static final int SIGTERM = 15;

  private final Leases leases = new Leases(BACKEND);
  private Launcher outboard;

  @BeforeEach
  void make(@TempDir Path home) throws IOException {
    outboard = new Launcher(home);
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    Patience.until("it is given back", () -> leases.alive().isEmpty());
  }

  @Test
  void theProgramHasTheLease() throws Exception {
    Program.Ended ended = outboard.run("lease", "--gpus=2", "--", Home.VECTOR_ADD.toString());
    assertEquals(0, ended.status(), ended::toString);
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output());
  }

  @Test
  void statusAndWordsAreTheProgramsOwn() throws Exception {
    Program.Ended ended =
        outboard.run("lease", "--", "sh", "-c", "echo \"$1 $2\"; exit 7", "sh", "--gpus", "a 'b'");
    assertEquals(7, ended.status(), ended::toString);
    assertEquals("--gpus a 'b'\n", ended.output());
  }

  /** As bubblewrap makes one: in namespaces of its own, without a network. */
  @Test
  void aSandboxHasItByTheSocketAlone() throws Exception {
    assumeTrue(BareRoot.isPermitted(), "this machine permits no user namespaces (unshare)");
    Program.Ended ended =
        outboard.run(
            "lease", "--", "unshare", "-rmnpf", "--mount-proc", Home.VECTOR_ADD.toString());
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output(), ended::toString);
  }

  @Test
  void whoeverKillsTheProgramEndsTheLease() throws Exception {
    Process program = outboard.start("lease", "--", "sh", "-c", "echo begun; exec sleep 300");
    assertEquals("begun", program.inputReader().readLine());
    assertEquals(1, leases.alive().size());
    program.destroyForcibly().waitFor();
  }

  /** A service manager that starts it again gets another lease. */
  @Test
  void aProgramThatIsToldToEndsWithItsLease() throws Exception {
    Process program =
        outboard.start("lease", "--stop-program", "--", "sh", "-c", "echo begun; exec sleep 300");
    assertEquals("begun", program.inputReader().readLine());
    leases.change("revoke", leases.alive().getFirst());
    assertEquals(SIGNALLED + SIGTERM, program.waitFor());
  }

  /** Three minutes after its last renewal. */
  @Test
  @Tag("long")
  void aLeaseWhoseHolderIsKilledEndsByItself() throws Exception {
    Process program = outboard.start("lease", "--", "sh", "-c", "echo begun; exec sleep 900");
    assertEquals("begun", program.inputReader().readLine());
    assertEquals(1, holders(program).peek(ProcessHandle::destroyForcibly).count());
    Form lease = leases.alive().getFirst();
    long half = lease.number("expires", 0) - Duration.ofSeconds(90).toMillis();
    Patience.until("half of its time", () -> System.currentTimeMillis() > half);
    assertEquals(1, leases.alive().size());
    Patience.until("it is over", () -> leases.alive().isEmpty());
    assertTrue(program.isAlive());
    program.destroyForcibly().waitFor();
  }

  private static Stream<ProcessHandle> holders(Process program) {
    String mark = "--become " + program.pid() + " ";
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(mark));
  }

  @Test
  void itSaysWhyNothingIsRun() throws Exception {
    Form all = leases.request(new Form().with("gpus", 2));
    refused(1, "no GPUs were free within 1 seconds", "lease", "--wait=1s", "--", "true");
    leases.change("release", all);
    refused(1, "this backend has 2 of 3 GPUs", "lease", "--gpus=3", "--", "true");
    refused(2, "are not for a program", "lease", "--for=1h", "--", "true");
    refused(2, "takes no argument 'true' there", "lease", "true");
    refused(2, "--stop-program is for a program alone", "lease", "--stop-program");
  }

  private void refused(int status, String why, String... words) throws Exception {
    Program.Ended ended = outboard.run(words);
    assertTrue(ended.status() == status && ended.errors().contains(why), ended::toString);
  }
}
