// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BulkConnectionsTest {
  private final BulkConnections connections = new BulkConnections();

  /** The client is welcome before the daemon has passed its connection on. */
  @Test
  void aTransferWaitsForTheFirstConnection() throws Exception {
    CompletableFuture<Boolean> comes = new CompletableFuture<>();
    Thread waiting = Thread.ofPlatform().start(() -> comes.complete(comes(1)));
    TimeUnit.MILLISECONDS.sleep(50);
    assertFalse(comes.isDone());
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    connections.add(pair[1]);
    assertTrue(comes.get());
    waiting.join();
    connections.finish(1);
    assertFalse(comes(1));
    connections.lost("the test is over");
    Posix.close(pair[0]);
  }

  private boolean comes(long transfer) {
    try {
      return connections.comes(transfer);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
