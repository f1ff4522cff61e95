// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands of the operator of a pool at its broker, with a node of one GPU that is used. All in one
 * pool, as each costs the start of five processes.
 */
final class PoolOperatorTest {
  private static final String STEADY = Home.PROGRAMS.resolve("steady").toString();

  @TempDir private static Path home;
  private static NodePool pool;

  @BeforeAll
  static void startPool() throws Exception {
    pool = new NodePool(home);
    pool.startBrokers(1);
    pool.join("n1", "software");
  }

  @AfterAll
  static void endPool() throws Exception {
    pool.end();
  }

  /** A program's lease gives way to a better one, and goes on after it. */
  @Test
  void aLeaseIsSuspendedForOneThatIsLate() throws Exception {
    String first = pool.lease();
    pool.await("granted", first);
    try (Steady program = Steady.start(pool.running(first, STEADY), pool.variables())) {
      program.awaitProgress();
      pool.await("active", first);
      String late = pool.lease("--class=guaranteed", "--within=1s");
      Patience.until(
          "the miss is in the ledger", () -> pool.typed("usage", "--missed").contains(late));
      String row = pool.typed("usage", "--missed", "--format=csv").lines().toList().getLast();
      assertTrue(row.contains(late) && row.endsWith(",room"), row);
      pool.typed("suspend", first);
      assertTrue(pool.isIn("held", first));
      pool.await("granted", late);
      pool.typed("release", late);
      pool.typed("resume", first);
      program.awaitProgress();
      program.finishAfterAll();
    }
    pool.typed("release", first);
    pool.await("released", first);
  }

  @Test
  void maintenanceIsAnnounced() throws Exception {
    Patience.until(
        "the node has told of its GPU", () -> pool.typed("nodes").contains("Software GPU"));
    Instant from = Instant.now().plus(Duration.ofHours(3));
    String told = pool.typed("nodes", "--cordon=n1", "--from=" + from, "--reason=a new fan");
    assertTrue(told.contains("is given to nobody from"), told);
    assertTrue(told.contains("a new fan"), told);
    String longer = pool.typed("lease", "--for=4h", "--explain");
    assertTrue(longer.contains("waits"), longer);
    assertTrue(pool.typed("lease", "--for=2h", "--explain").contains("granted now"));
    Program.Ended alone = pool.run("nodes", "--from=" + from);
    assertEquals(2, alone.status(), alone::toString);
    pool.typed("nodes", "--uncordon=n1");
    assertTrue(pool.typed("lease", "--for=4h", "--explain").contains("granted now"));
  }
}
