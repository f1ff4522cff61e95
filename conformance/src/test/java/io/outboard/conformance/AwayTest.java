// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A program of a lease has lost its connection: everybody sees it, and it learns what became. */
final class AwayTest {
  @RegisterExtension
  static final Backend BACKEND = new Backend("software:2", "--grace=50s", "--grace-limit=1h");

  private static final int GRACE_SECONDS = 1234;

  @TempDir private static Path home;

  private final Leases leases = new Leases(BACKEND);
  private Form lease;
  private Proxy proxy;
  private Steady program;

  @BeforeEach
  void start() throws Exception {
    lease = leases.request(new Form().with("grace", GRACE_SECONDS));
    proxy = new Proxy(BACKEND.tcp(), List.of());
    program = Steady.start(leases.variables(proxy.endpoint(), lease));
    program.awaitProgress();
  }

  @AfterEach
  void end() throws Exception {
    program.close();
    proxy.close();
    Patience.until("nobody has devices", leases::releaseAll);
  }

  private Form session() throws Exception {
    return leases.ask("sessions", new Form()).getFirst();
  }

  private void cut() throws Exception {
    proxy.off();
    Patience.until("it is away", () -> leases.find(lease).number("away", 0) == 1);
  }

  @Test
  void everybodySeesForHowLong() throws Exception {
    assertEquals("0", session().get("awaySince"));
    assertEquals("0", leases.find(lease).get("away"));
    assertEquals("" + GRACE_SECONDS, leases.find(lease).get("grace"));
    cut();
    Form session = session();
    long away = session.number("awayUntil", 0) - session.number("awaySince", 0);
    assertEquals(GRACE_SECONDS * 1000L, away);
    assertShown();
    proxy.on();
    program.awaitProgress();
    assertEquals("0", session().get("awaySince"));
    assertEquals("0", leases.find(lease).get("away"));
    program.finishAfterAll();
  }

  private static void assertShown() throws Exception {
    Launcher outboard = new Launcher(home);
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
    Program.Ended top = outboard.run("top", "--once");
    assertTrue(top.output().contains("  away for "), top::toString);
    Program.Ended json = outboard.run("top", "--once", "--json");
    assertTrue(json.output().matches("(?s).*\"awayUntil\": ?\"20.*"), json::toString);
    Program.Ended all = outboard.run("leases");
    assertTrue(all.output().contains(" 1 (1 away) "), all::toString);
  }

  @Test
  void aLeaseThatEndsMeanwhileIsSaid() throws Exception {
    cut();
    leases.ask("revoke", new Form().with("id", lease.get("id")).with("reason", "maintenance"));
    proxy.on();
    program.awaitGone("its lease is revoked: maintenance");
  }

  @Test
  void aLeaseThatIsSuspendedMeanwhileIsSaid() throws Exception {
    cut();
    assertEquals("held", leases.change("suspend", lease).get("state"));
    proxy.on();
    program.awaitSaid("this program waits: lease " + lease.get("id") + " is suspended");
    assertEquals("active", leases.change("resume", lease).get("state"));
    program.awaitProgress();
    program.finishAfterAll();
  }

  @Test
  void aWorkerThatDiesMeanwhileIsSaid() throws Exception {
    cut();
    BACKEND.worker(program.process()).destroyForcibly();
    Patience.until("it is over", () -> leases.find(lease).number("sessions", 0) == 0);
    proxy.on();
    program.awaitGone("its worker ended, killed by signal 9");
  }

  @Test
  void aSessionIsSuspendedAgainAndAgainWhileItsProgramIsAway() throws Exception {
    cut();
    for (int i = 0; i < 3; i++) {
      assertEquals("held", leases.change("suspend", lease).get("state"));
      assertEquals("active", leases.change("resume", lease).get("state"));
    }
    proxy.on();
    program.awaitProgress();
    program.finishAfterAll();
  }

  @Test
  void noLeaseIsAwayForLongerThanTheOperatorAllows() throws Exception {
    Launcher outboard = new Launcher(home);
    outboard.set("OUTBOARD", "unix:" + BACKEND.socket());
    Program.Ended refused = outboard.run("lease", "--grace", "2h");
    assertNotEquals(0, refused.status());
    assertTrue(refused.errors().contains("a grace period of 3600 s at most"), refused::toString);
    Program.Ended granted = outboard.run("lease", "--grace", "0");
    assertEquals(0, granted.status(), granted::toString);
    assertEquals(Map.of("0", 1, "" + GRACE_SECONDS, 1), graces());
  }

  private Map<String, Integer> graces() throws Exception {
    Map<String, Integer> graces = new TreeMap<>();
    leases.alive().forEach(one -> graces.merge(one.get("grace"), 1, Integer::sum));
    return graces;
  }
}
