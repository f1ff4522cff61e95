// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian packages on a machine that systemd runs, used as the operator's guide says. */
@Lengthy
final class SystemdTest {
  private static final String PASSED =
      "vectorAdd: PASSED on NVIDIA A100-SXM4-80GB (software): 50000 elements";
  private static final String RUN = "outboard-run /opt/vectorAdd";
  private static final String STEADY = "outboard-run /opt/steady";
  private static final String OPTIONS = "--device software:a100*2 --drain-timeout 120";

  /**
   * CHOWN, DAC_OVERRIDE, FOWNER, KILL, SETGID, SETUID, SETPCAP, IPC_LOCK, SYS_PTRACE, SYS_ADMIN and
   * SYS_NICE.
   */
  private static final String CAPABILITIES = "0000000000a841eb";

  private static final String NO_CAPABILITIES = "0000000000000000";
  private static final long FIRST_WORKER = 2_000_000_000L;

  private static final String WEB =
      """
      [Unit]
      Requires=outboard@web.service
      After=outboard@web.service
      [Service]
      EnvironmentFile=/run/outboard-lease/web
      ExecStart=/bin/sh -c '/opt/vectorAdd; exec sleep infinity'
      """;

  @TempDir private static Path packages;
  private Machine machine;

  @BeforeAll
  static void makePackages() throws Exception {
    assumeTrue(Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
    Machine.assumePossible();
    Path server = Tarballs.server();
    Path client = Tarballs.client();
    for (String version : List.of("1.0", "1.1")) {
      Tarballs.packages(version, server, client, packages);
    }
  }

  @BeforeEach
  void install() throws Exception {
    machine = new Machine();
    for (String name : List.of("outboard_1.0", "outboard_1.1", "outboard-client_1.0")) {
      machine.bring(packages.resolve(name + "_amd64.deb"));
    }
    machine.bring(Home.VECTOR_ADD);
    machine.bring(Home.PROGRAMS.resolve("steady"));
    machine.boot();
    machine.must(
        "apt-get install -y /opt/outboard_1.0_amd64.deb /opt/outboard-client_1.0_amd64.deb");
    configure(OPTIONS);
  }

  @AfterEach
  void end() throws Exception {
    if (machine != null) {
      machine.shutDown();
      machine.remove();
    }
  }

  private void configure(String options) throws IOException {
    Files.writeString(machine.file("/etc/outboard/serve.env"), "OPTIONS=\"" + options + "\"\n");
  }

  private void serve() throws Exception {
    machine.must("systemctl enable --now outboard-serve");
  }

  /** A property of the service. */
  private String service(String property) throws Exception {
    return machine.must("systemctl show --property=" + property + " --value outboard-serve");
  }

  /** Lines of the service in the journal with this priority or a more pressing one. */
  private String journal(String priority) throws Exception {
    return machine.must("journalctl --output=cat --priority=" + priority + " _COMM=java");
  }

  private String javaProcesses() throws Exception {
    return machine.run("pgrep --list-full java").output();
  }

  private String lease() throws Exception {
    return machine.must("outboard lease --gpus 2 --for 1h --tenant alice") + "\n";
  }

  /** While there is no process its number is 0. */
  private void awaitRestart(String before) throws Exception {
    Patience.until(
        "another process than " + before,
        () ->
            !List.of(before, "0").contains(service("MainPID"))
                && service("SubState").equals("running"));
  }

  /** A program that goes on until it is told to end, with its variables in front. */
  private Process startSteady(String before) throws Exception {
    Process program = machine.start(before + STEADY);
    assertEquals("round", program.inputReader(UTF_8).readLine());
    return program;
  }

  private static void endsWell(Process program) throws Exception {
    program.getOutputStream().close();
    BufferedReader lines = program.inputReader(UTF_8);
    assertEquals("ok", lines.lines().reduce((_, last) -> last).orElse(""));
    assertEquals(0, program.waitFor());
  }

  private static void endsWithAnError(Process program) throws Exception {
    String last = program.inputReader(UTF_8).lines().reduce((_, line) -> line).orElse("");
    assertTrue(last.startsWith("error "), last);
    assertNotEquals(0, program.waitFor());
  }

  @Test
  void nothingIsStartedByTheInstallation() throws Exception {
    assertEquals("inactive", service("ActiveState"));
    assertEquals("disabled", service("UnitFileState"));
    String unit = "/usr/lib/systemd/system/outboard-serve.service";
    assertEquals(
        new Program.Ended(0, "", ""), machine.run("systemd-analyze verify --man=no " + unit));
  }

  @Test
  void programsRunWithWhatTheServiceMay() throws Exception {
    serve();
    assertEquals("running", service("SubState"));
    assertEquals(PASSED, machine.must("OUTBOARD_IMAGES=1 " + RUN));
    assertTrue(
        Long.parseLong(machine.must("stat -c %u /var/cache/outboard/images/*")) >= FIRST_WORKER,
        "the image is not a worker's");
    assertMay(service("MainPID"), CAPABILITIES);
    Patience.until("workers of their own users", this::workersAreUsers);
    for (String worker : machine.must("pgrep --parent " + service("MainPID")).lines().toList()) {
      assertMay(worker, NO_CAPABILITIES);
    }
    assertEquals(
        "755 660 711 711",
        machine
            .must(
                "stat -c %a /run/outboard /run/outboard/outboard.sock /var/lib/outboard"
                    + " /var/cache/outboard")
            .replace('\n', ' '));
  }

  /** Each is root until it has started. */
  private boolean workersAreUsers() throws Exception {
    return machine
        .must("ps -o uid= --ppid " + service("MainPID"))
        .lines()
        .allMatch(user -> Long.parseLong(user.strip()) >= FIRST_WORKER);
  }

  private void assertMay(String process, String capabilities) throws Exception {
    String status = machine.must("cat /proc/" + process + "/status");
    assertTrue(status.contains("CapEff:\t" + capabilities + "\n"), status);
    assertTrue(status.contains("NoNewPrivs:\t1\n"), status);
  }

  @Test
  void otherUsersNeedALeaseAndAUri() throws Exception {
    machine.must("useradd --create-home alice && outboard cert server localhost");
    machine.must("install -m 644 /etc/outboard/tls/ca.pem /home/alice/");
    configure(OPTIONS + " --listen tls://127.0.0.1 --require-lease");
    serve();
    for (String command : List.of(RUN, "outboard leases")) {
      Program.Ended alone = machine.runAs("alice", command);
      assertNotEquals(0, alone.status());
      assertTrue(
          alone.errors().contains("/run/outboard/outboard.sock is not for this user"),
          alone::toString);
    }
    String onTls = "outboard-run --on tls://localhost --ca ~/ca.pem -- /opt/vectorAdd";
    Program.Ended without = machine.runAs("alice", onTls);
    assertTrue(without.errors().contains("wants a token"), without::toString);
    Program.Ended with = machine.runAs("alice", lease() + onTls);
    assertEquals(new Program.Ended(0, PASSED + "\n", ""), with);
  }

  @Test
  void membersOfTheGroupNeedNothing() throws Exception {
    machine.must("useradd --create-home alice && useradd --create-home bob");
    machine.must("usermod --append --groups outboard alice");
    serve();
    assertEquals(new Program.Ended(0, PASSED + "\n", ""), machine.runAs("alice", RUN));
    String leased = "eval \"$(outboard lease --gpus 1 --for 1h)\" && " + RUN;
    Program.Ended ended = machine.runAs("alice", leased);
    assertEquals(PASSED + "\n", ended.output(), ended::toString);
    assertTrue(machine.must("outboard leases").contains(" alice "), "a tenant of her name");
    Program.Ended hers =
        machine.runAs("alice", "outboard revoke $(outboard leases | tail -n 1 | cut -d' ' -f1)");
    assertTrue(hers.errors().contains("'revoke' is the operator's"), hers::toString);
    Program.Ended other = machine.runAs("bob", "outboard run /opt/vectorAdd");
    assertEquals(0, other.status(), other::toString);
    assertTrue(other.errors().contains("is not for this user"), other::toString);
    assertNotEquals(0, machine.runAs("bob", RUN).status());
  }

  @Test
  void stoppingWaitsForPrograms() throws Exception {
    serve();
    Process program = startSteady("");
    machine.must("systemctl stop --no-block outboard-serve");
    Patience.until(
        "the word", () -> journal("info").lines().anyMatch("waiting for 1 session to end"::equals));
    assertEquals("deactivating", service("ActiveState"));
    assertNotEquals(0, machine.run(RUN).status());
    endsWell(program);
    Patience.until("the end", () -> service("ActiveState").equals("inactive"));
    assertEquals("success", service("Result"));
    assertEquals("", javaProcesses());
    assertFalse(Files.exists(machine.file("/run/outboard")));
  }

  @Test
  void stoppingWaitsNoLongerThanItWasTold() throws Exception {
    configure("--device software --drain-timeout 2");
    serve();
    Process program = startSteady("");
    machine.must("systemctl stop outboard-serve");
    assertEquals("success", service("Result"));
    endsWithAnError(program);
    assertEquals("", javaProcesses());
  }

  @Test
  void aBackendThatIsKilledComesBackWithItsLeases() throws Exception {
    serve();
    String lease = lease();
    Process program = startSteady(lease);
    String killed = service("MainPID");
    machine.must("systemctl kill --kill-whom=main --signal=KILL outboard-serve");
    awaitRestart(killed);
    assertEquals("1", service("NRestarts"));
    endsWell(program);
    assertEquals(PASSED, machine.must(lease + RUN));
    assertEquals("", machine.must("find /var/lib/outboard -name 'sqlite-*'"));
  }

  @Test
  void aRestartLeavesProgramsAndLeases() throws Exception {
    serve();
    String lease = lease();
    String before = service("MainPID");
    Process program = startSteady(lease);
    machine.must("systemctl restart outboard-serve");
    awaitRestart(before);
    assertEquals("success", service("Result"));
    assertTrue(machine.must("outboard leases").contains(" active "), "the lease is used");
    endsWell(program);
    assertEquals(PASSED, machine.must(lease + RUN));
    machine.must("systemctl stop outboard-serve");
    assertEquals("", javaProcesses());
    assertFalse(Files.exists(machine.file("/run/outboard")));
  }

  @Test
  void upgradingLeavesProgramsAndLeases() throws Exception {
    serve();
    String lease = lease();
    String before = service("MainPID");
    Process program = startSteady(lease);
    machine.must("apt-get install -y /opt/outboard_1.1_amd64.deb");
    awaitRestart(before);
    endsWell(program);
    assertEquals("1.1", machine.must("dpkg-query --show --showformat='${Version}' outboard"));
    assertEquals(PASSED, machine.must(lease + RUN));
  }

  @Test
  void removingKeepsWhatIsTheOperatorsAndPurgingDoesNot() throws Exception {
    machine.must("outboard cert server localhost");
    serve();
    String lease = lease();
    machine.must("apt-get remove -y outboard");
    assertEquals("", javaProcesses());
    assertEquals("not-found", service("LoadState"));
    assertEquals("", machine.must("find /etc/systemd -name 'outboard*'"));
    machine.must(
        "cd /var/lib/outboard && test -f leases.db && test -f /etc/outboard/tls/server.key");
    machine.must("apt-get install -y /opt/outboard_1.1_amd64.deb");
    serve();
    assertEquals(PASSED, machine.must(lease + RUN));
    machine.must("apt-get purge -y outboard");
    assertEquals("", javaProcesses());
    assertEquals("", machine.must("find / -xdev -path /opt -prune -o -name outboard -print"));
  }

  /** Its command has a lease in front; the program is the unit's main process. */
  @Test
  void aServiceHasALeaseWhileItRuns() throws Exception {
    configure(OPTIONS + " --require-lease");
    serve();
    machine.must(
        "systemd-run --collect --unit=worker outboard lease --idle-suspend 10m --"
            + " sh -c '/opt/vectorAdd; exec sleep infinity'");
    Patience.until(
        "the program's line",
        () -> machine.must("journalctl --output=cat --unit=worker").contains(PASSED));
    assertEquals("idle", machine.must("outboard leases | tail -n 1 | cut -c26-29"));
    machine.must("systemctl stop worker");
    Patience.until(
        "the end of the lease", () -> machine.must("outboard leases").lines().count() == 1);
  }

  /** By a unit beside it: the program and its command know nothing of leases. */
  @Test
  void aServiceHasTheLeaseOfAnotherUnit() throws Exception {
    configure(OPTIONS + " --require-lease");
    serve();
    Files.writeString(machine.file("/etc/outboard/lease-web.env"), "OPTIONS=\"--share 0.5\"\n");
    Files.writeString(machine.file("/etc/systemd/system/web.service"), WEB);
    machine.must("systemctl daemon-reload && systemctl start web");
    awaitPassed(1);
    String first = machine.must("outboard leases | grep ' 0.5 ' | cut -d' ' -f1");
    assertEquals("600", machine.must("stat -c %a /run/outboard-lease/web"));
    machine.must("outboard revoke " + first);
    awaitPassed(2);
    String second = machine.must("outboard leases | grep ' 0.5 ' | cut -d' ' -f1");
    assertNotEquals(first, second);
    machine.must("pkill -KILL -f -- '--[b]ecome'");
    awaitPassed(3);
    machine.must("outboard release " + second);
    machine.must("systemctl stop web");
    Patience.until(
        "the end of the lease", () -> machine.must("outboard leases").lines().count() == 1);
    assertFalse(Files.exists(machine.file("/run/outboard-lease/web")));
  }

  private void awaitPassed(int times) throws Exception {
    Patience.until(
        "line " + times + " of the program",
        () ->
            machine
                    .must("journalctl --output=cat --unit=web")
                    .lines()
                    .filter(PASSED::equals)
                    .count()
                == times);
  }

  @Test
  void itStartsWithTheMachine() throws Exception {
    serve();
    String lease = lease();
    machine.shutDown();
    machine.boot();
    assertEquals("running", service("SubState"));
    assertEquals(PASSED, machine.must(lease + RUN));
  }

  @Test
  void wrongOptionsAreSaidOnce() throws Exception {
    configure("--device softwear");
    assertNotEquals(0, machine.run("systemctl start outboard-serve").status());
    // Until the next try it would be activating.
    Patience.until("the only try", () -> service("ActiveState").equals("failed"));
    assertEquals("0", service("NRestarts"));
    assertTrue(journal("err").startsWith("'softwear' is not a device; "), journal("err"));
  }

  @Test
  void whatDoesNotComeUpIsGivenUp() throws Exception {
    configure("--device software --listen tls://127.0.0.1");
    assertNotEquals(0, machine.run("systemctl start outboard-serve").status());
    Patience.until("the last try", () -> service("ActiveState").equals("failed"));
    assertEquals(5, journal("err").lines().filter(line -> line.contains("certificate")).count());
  }
}
