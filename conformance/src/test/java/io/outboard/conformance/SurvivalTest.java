// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs go on while their daemon is killed, or makes room for another one, which has them. */
@Order(1)
final class SurvivalTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2");

  private final Leases leases = new Leases(BACKEND);
  private final List<Steady> programs = new ArrayList<>();
  private final List<ProcessHandle> workers = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    for (Steady program : programs) {
      program.close();
    }
    Patience.until("nobody has devices", leases::releaseAll);
    Patience.until(
        "the workers have ended", () -> workers.stream().noneMatch(ProcessHandle::isAlive));
    Patience.until("no file is left", () -> files().isEmpty());
  }

  /** Files of the daemon about sessions, for the next one. */
  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(BACKEND.socket() + ".sessions"))) {
      return all.toList();
    }
  }

  private Steady start(String endpoint, Form lease) throws Exception {
    Steady program = Steady.start(leases.variables(endpoint, lease));
    programs.add(program);
    program.awaitProgress();
    workers.add(BACKEND.worker(program.process()));
    return program;
  }

  private static void kill() {
    ProcessHandle daemon = BACKEND.daemon();
    daemon.destroyForcibly();
    daemon.onExit().join();
  }

  private void allGoOn() throws Exception {
    for (Steady program : programs) {
      program.awaitProgress();
    }
  }

  private Set<String> sessions() throws IOException {
    Set<String> all = new HashSet<>();
    leases.ask("sessions", new Form()).forEach(one -> all.add(one.get("client")));
    return all;
  }

  /** Where workers have a bound of the host's memory, the next daemon's is theirs. */
  private void assertBound(Form lease) throws IOException {
    String bound = "/outboard-" + BACKEND.daemon().pid() + "/" + lease.get("id");
    for (ProcessHandle worker : workers) {
      String groups = Files.readString(Path.of("/proc", Long.toString(worker.pid()), "cgroup"));
      assertTrue(groups.contains(bound) || !groups.contains(lease.get("id")), groups);
    }
  }

  @Test
  void programsGoOnWithoutTheirDaemonAndWithTheNext() throws Exception {
    Form lease = leases.request(new Form().with("share", 500).with("memory", 1 << 30));
    for (String endpoint : BACKEND.endpoints()) {
      start(endpoint, lease);
    }
    Set<String> before = sessions();
    assertEquals(3, before.size());
    kill();
    allGoOn();
    BACKEND.startAgain();
    assertEquals(before, sessions());
    assertEquals("active", leases.find(lease).get("state"));
    assertEquals("3", leases.find(lease).get("sessions"));
    assertBound(lease);
    allGoOn();
    start(BACKEND.endpoints().getFirst(), lease);
    kill();
    BACKEND.startAgain();
    assertEquals("4", leases.find(lease).get("sessions"));
    allGoOn();
    for (Steady program : programs) {
      program.finish();
    }
    Patience.until("no session", () -> leases.find(lease).number("sessions", 0) == 0);
    leases.change("release", lease);
    List<Form> rows = leases.usage(lease);
    assertEquals(1, rows.size(), rows::toString);
    assertEquals(leases.find(lease).get("granted"), rows.getFirst().get("from"));
    assertTrue(rows.getFirst().number("bytesIn", 0) > 4 * (8 << 20), rows::toString);
  }

  @Test
  void whatIsWithoutALeaseIsTakenOverToo() throws Exception {
    leases.alive();
    Steady program = Steady.start(BACKEND, BACKEND.endpoints().getFirst());
    programs.add(program);
    program.awaitProgress();
    Form lease = leases.alive().getFirst();
    kill();
    BACKEND.startAgain();
    Form after = leases.alive().getFirst();
    assertEquals(lease.get("id"), after.get("id"));
    assertEquals("active", after.get("state"));
    program.awaitProgress();
    program.finish();
    Patience.until("it is over", () -> leases.alive().isEmpty());
    assertEquals(2, leases.usage(lease).stream().map(row -> row.get("gpu")).distinct().count());
    assertEquals(2, leases.usage(lease).size(), "one of each GPU");
  }

  @Test
  void aLeaseIsRevokedAndSuspendedAsBefore() throws Exception {
    Form lease = leases.request(new Form());
    Form other = leases.request(new Form());
    Steady program = start(BACKEND.endpoints().getFirst(), lease);
    Steady suspended = start(BACKEND.endpoints().getFirst(), other);
    assertEquals("held", leases.change("suspend", other).get("state"));
    kill();
    BACKEND.startAgain();
    assertEquals("held", leases.find(other).get("state"));
    program.awaitProgress();
    assertEquals("active", leases.change("resume", other).get("state"));
    suspended.awaitProgress();
    suspended.finishAfterAll();
    assertEquals("revoked", leases.change("revoke", lease).get("state"));
    program.awaitLoss();
  }

  @Test
  void aSessionThatEndsMeanwhileLeavesNothing() throws Exception {
    Form lease = leases.request(new Form());
    Steady first = start(BACKEND.endpoints().getFirst(), lease);
    Steady killed = start(BACKEND.endpoints().getFirst(), lease);
    kill();
    first.finish();
    workers.getFirst().onExit().join();
    assertFalse(files().size() > 2, () -> "files are left of one that has ended");
    killed.process().destroyForcibly();
    workers.getLast().destroyForcibly();
    workers.getLast().onExit().join();
    BACKEND.startAgain();
    assertEquals("idle", leases.find(lease).get("state"));
  }

  @Test
  void aDaemonMakesRoomForTheNext() throws Exception {
    Form lease = leases.request(new Form());
    for (String endpoint : BACKEND.endpoints()) {
      start(endpoint, lease);
    }
    Set<String> before = sessions();
    ProcessHandle old = BACKEND.daemon();
    BACKEND.replace();
    assertFalse(old.isAlive());
    assertEquals(before, sessions());
    allGoOn();
    for (Steady program : programs) {
      program.finish();
    }
    leases.change("release", lease);
    assertEquals(1, leases.usage(lease).size());
  }

  @Test
  void toldToEndADaemonEndsItsPrograms() throws Exception {
    Form lease = leases.request(new Form());
    Steady program = start(BACKEND.endpoints().getFirst(), lease);
    ProcessHandle daemon = BACKEND.daemon();
    daemon.destroy();
    daemon.onExit().join();
    program.awaitLoss();
    BACKEND.startAgain();
  }

  /** Calls of its workers wait for the daemon's word, which says at its start what follows. */
  @Test
  void whereWorkersNeedTheirDaemonItSaysThatProgramsEndWithIt() throws Exception {
    Backend backend = new Backend("software", "--worker-filter=log");
    backend.beforeAll(null);
    try {
      assertTrue(backend.log().contains("programs end with this backend, when it restarts too: "));
      assertTrue(backend.log().contains("with --worker-filter on they outlive a restart"));
      Steady program = Steady.start(backend, backend.endpoints().getFirst());
      programs.add(program);
      program.awaitProgress();
      backend.daemon().destroyForcibly();
      program.awaitLoss();
      backend.startAgain();
    } finally {
      backend.afterAll(null);
    }
  }

  /** The daemon that takes a worker over gives its user to nobody else. */
  @Test
  void aWorkerKeepsItsUser() throws Exception {
    assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"), "needs root");
    Backend backend = new Backend("software", "--worker-users=60120-60129", "--image-cache=none");
    backend.beforeAll(null);
    try {
      String endpoint = backend.endpoints().getFirst();
      Steady first = Steady.start(backend, endpoint);
      programs.add(first);
      first.awaitProgress();
      ProcessHandle worker = backend.worker(first.process());
      ProcessHandle daemon = backend.daemon();
      daemon.destroyForcibly();
      daemon.onExit().join();
      backend.startAgain();
      Steady second = Steady.start(backend, endpoint);
      programs.add(second);
      second.awaitProgress();
      assertNotEquals(user(worker), user(backend.worker(second.process())));
      second.finish();
      first.awaitProgress();
      first.finish();
    } finally {
      backend.afterAll(null);
    }
  }

  private static String user(ProcessHandle process) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("Uid:"))
        .findFirst()
        .orElseThrow();
  }
}
