// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.greeting.Peer;
import io.outboard.lease.Form;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.testkit.Sample;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer to a client that only asks whether it would be served. */
final class PoolTest {
  @TempDir Path folder;

  private static void assertObstacle(String why, Optional<Refusal> obstacle) {
    assertEquals(Refusal.LEASE, obstacle.orElseThrow().code());
    assertTrue(obstacle.get().text().contains(why), obstacle::toString);
  }

  @Test
  void whereLeasesAreNotUsedNothingHindersAnybody() {
    try (Pool pool = new Pool(SqliteLocation.in(folder), false)) {
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Operator()));
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Member(1000, "ada")));
      assertTrue(!Files.exists(folder.resolve(SqliteLocation.FILE)), "a question makes no store");
    }
  }

  /** What is asked changes nothing of what is served. */
  @Test
  void aQuestionOnAFullDiskHindersNobody() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "none", disk.toString()),
        "needs root");
    try (Pool pool = new Pool(SqliteLocation.in(disk), false)) {
      pool.open(Sample.gpus(1));
      for (String question : List.of("leases", "devices", "sessions", "tenants")) {
        StoreException full =
            assertThrows(StoreException.class, () -> pool.ask(question, new Form()));
        assertTrue(full.getMessage().contains("make room"), full::toString);
      }
      assertEquals(Optional.empty(), pool.claim(Token.random().name()), "leases are not used");
      assertTrue(!Files.exists(disk.resolve(SqliteLocation.FILE)));
    } finally {
      run("umount", disk.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  @Test
  void aLeaseThatIsWantedIsAnObstacleForAPeerWithoutOne() {
    try (Pool pool = new Pool(SqliteLocation.in(folder), true)) {
      assertObstacle("wants a lease", pool.obstacle(new Peer.Operator()));
      pool.open(List.of());
      assertObstacle("wants a lease", pool.obstacle(new Peer.Member(1000, "ada")));
      assertObstacle("is over", pool.obstacle(new Peer.Holder("lease", 1, "ada")));
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Itself()));
    }
  }

  @Test
  void leasesOfAllGpusAreAnObstacleForAPeerWithoutOne() throws Exception {
    try (Pool pool = new Pool(SqliteLocation.in(folder), false)) {
      pool.open(Sample.gpus(1));
      Form lease = pool.ask("lease", new Form().with("seconds", 60)).getFirst();
      assertObstacle("each GPU is leased", pool.obstacle(new Peer.Operator()));
      assertObstacle("to another tenant", pool.obstacle(new Peer.Member(1000, "ada")));
      Peer.Holder holder = new Peer.Holder(lease.get("id"), 1, "default");
      assertEquals(Optional.empty(), pool.obstacle(holder));
      pool.ask("suspend", new Form().with("id", lease.get("id")));
      assertObstacle("until 'outboard resume", pool.obstacle(holder));
      pool.ask("release", new Form().with("id", lease.get("id")));
      assertObstacle("lease", pool.obstacle(holder));
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Operator()));
    }
  }
}
