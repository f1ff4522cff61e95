// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Refusal;
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
    try (Pool pool = new Pool(folder, false)) {
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Operator()));
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Member(1000, "ada")));
      assertTrue(!Files.exists(folder.resolve(Pool.FILE)), "a question makes no store");
    }
  }

  @Test
  void aLeaseThatIsWantedIsAnObstacleForAPeerWithoutOne() {
    try (Pool pool = new Pool(folder, true)) {
      assertObstacle("wants a lease", pool.obstacle(new Peer.Operator()));
      pool.open(List.of());
      assertObstacle("wants a lease", pool.obstacle(new Peer.Member(1000, "ada")));
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Holder("lease", 1, "ada")));
      assertEquals(Optional.empty(), pool.obstacle(new Peer.Itself()));
    }
  }
}
