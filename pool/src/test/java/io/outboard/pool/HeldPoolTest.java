// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.library.Allotment;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.wire.Hello;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients that are served before the devices are known. */
final class HeldPoolTest {
  private static final Hello CLIENT = RawPeer.hello(0);

  @TempDir private Path folder;

  @Test
  void nobodyButWhoAsksForTheDevices() throws Exception {
    try (Pool pool = new Pool(SqliteLocation.in(folder), false)) {
      pool.holdUntilOpen();
      assertEquals(Allotment.EVERYTHING, pool.admit(CLIENT, new Peer.Itself()).allotment());
      List<String> order = new CopyOnWriteArrayList<>();
      Thread client =
          Thread.ofPlatform()
              .start(
                  () -> {
                    admit(pool);
                    order.add("admitted");
                  });
      while (client.getState() != Thread.State.TIMED_WAITING) {
        assertEquals(List.of(), order);
        Thread.onSpinWait();
      }
      order.add("open");
      pool.open(List.of());
      client.join();
      assertEquals(List.of("open", "admitted"), order);
    }
  }

  private static void admit(Pool pool) {
    try {
      pool.admit(CLIENT, new Peer.Operator());
    } catch (RefusedException e) {
      throw new AssertionError(e);
    }
  }
}
