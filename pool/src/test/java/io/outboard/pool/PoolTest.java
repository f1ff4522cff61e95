// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Bytes;
import io.outboard.wire.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client is told that only asks whether it would be served. */
final class PoolTest {
  private static final Optional<Bytes> UNKNOWN = Optional.of(Bytes.random(16));

  @TempDir Path folder;

  private static void assertObstacle(String why, Optional<Refusal> obstacle) {
    assertEquals(Refusal.LEASE, obstacle.orElseThrow().code());
    assertTrue(obstacle.get().text().contains(why), obstacle::toString);
  }

  @Test
  void whereLeasesAreNotUsedNothingHindersAnybody() {
    try (Pool pool = new Pool(folder, false)) {
      assertEquals(Optional.empty(), pool.obstacle(Optional.empty()));
      assertEquals(Optional.empty(), pool.obstacle(UNKNOWN));
      assertTrue(!Files.exists(folder.resolve(Pool.FILE)), "who only asks makes no store");
    }
  }

  @Test
  void aLeaseThatIsWantedOrUnknownIsAnObstacle() {
    try (Pool pool = new Pool(folder, true)) {
      assertObstacle("wants a lease", pool.obstacle(Optional.empty()));
      pool.open(List.of());
      assertObstacle("wants a lease", pool.obstacle(Optional.empty()));
      assertObstacle("is of no lease", pool.obstacle(UNKNOWN));
      assertEquals(Optional.empty(), pool.obstacle(Optional.of(pool.operator().name())));
    }
  }
}
