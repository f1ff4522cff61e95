// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two brokers and two nodes as their operators have them, all on this machine. */
@Order(1)
final class ManyNodesTest {
  private static final String PROGRAM = Home.PROGRAMS.resolve("steady").toString();

  @TempDir private Path home;
  private NodePool pool;

  @BeforeEach
  void startPool() throws Exception {
    pool = new NodePool(home);
    pool.startBrokers(2);
    for (String name : List.of("n1", "n2")) {
      pool.join(name, "software");
    }
  }

  @AfterEach
  void endPool() throws Exception {
    pool.end();
  }

  private Steady start(String lease) throws IOException {
    return Steady.start(pool.running(lease, PROGRAM), pool.variables());
  }

  /** The node whose log names the program. */
  private Optional<Backend> serving() throws IOException {
    for (Backend node : pool.nodes()) {
      if (node.log().contains(PROGRAM)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  /** All in one pool, as each costs the start of four processes. */
  @Test
  void aProgramNeverNoticesThatItsBrokersAreKilled() throws Exception {
    PoolBroker one = pool.broker(0);
    PoolBroker other = pool.broker(1);
    String first = pool.lease();
    String second = pool.lease();
    String third = pool.lease();
    Patience.until(
        "both nodes report", () -> pool.isIn("granted", first) && pool.isIn("granted", second));
    assertNotEquals(pool.place(first), pool.place(second));
    assertTrue(pool.isIn("requested", third), "two nodes have two GPUs");
    String why = pool.typed("leases", third, "--explain");
    assertTrue(why.contains("others have the GPUs") && why.contains("at the latest"), why);
    assertTrue(pool.typed("lease", "--explain").contains("others come first"));
    try (Steady program = start(first)) {
      program.awaitProgress();
      pool.await("active", first);
      one.kill();
      program.awaitProgress();
      other.awaitLead();
      pool.lead(other);
      pool.await("active", first);
      other.kill();
      program.awaitProgress();
      one.start();
      pool.lead(one);
      pool.await("active", first);
      assertTrue(pool.isIn("granted", second));
      program.awaitProgress();
      program.finish();
    }
    String place = pool.place(first).replaceFirst(".* ", "").strip();
    assertEquals(serving().orElseThrow().tcp(), place);
    pool.typed("release", first);
    Patience.until("who waits has what was released", () -> pool.isIn("granted", third));
    assertEquals(1, pool.rows(first));
    removeNode(third);
  }

  private void removeNode(String lease) throws Exception {
    Backend node = serving().orElseThrow();
    String name = "n" + (1 + pool.nodes().indexOf(node));
    Program.Ended again = pool.run("node", "invite", name);
    assertEquals(1, again.status(), again::toString);
    assertTrue(again.errors().contains("has joined already"), again::toString);
    assertTrue(pool.typed("node", "remove", name).lines().noneMatch(line -> line.startsWith(name)));
    assertTrue(pool.isIn("revoked", lease));
    Patience.until("the node is told", () -> node.log().contains("refuses this node"));
  }
}
