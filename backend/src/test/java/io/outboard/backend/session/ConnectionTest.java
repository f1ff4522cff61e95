// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.warmup.StreamPair;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Frame;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionTest {
  /** The rings are unmapped by then: a write there would end the process. */
  @Test
  void nothingIsWrittenOnceItIsClosed() throws IOException {
    StreamPair ends = StreamPair.overRings(RegionOffer.of(Region.LEAST_RING, 0, 0));
    try (SharedPage page = SharedPage.create()) {
      Connection connection = new Connection(ends.backend(), page);
      connection.shutdown();
      connection.close();
      assertThrows(EOFException.class, () -> connection.send(Frame.KIND_PONG, new byte[0]));
    } finally {
      ends.client().close();
    }
  }

  /** The reader may be the thread that writes: nobody else would hear what the client has. */
  @Test
  void beforeAThreadWaitsForTheClientsWordAnotherOneMayRead() throws Exception {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    try (SharedPage page = SharedPage.create()) {
      LastingStream lasting = new LastingStream(pair[1], 60, page);
      Connection connection = new Connection(lasting, page);
      connection.goOver(lasting);
      AtomicLong sent = new AtomicLong();
      AtomicLong times = new AtomicLong();
      connection.onFull(
          () -> {
            times.incrementAndGet();
            assertTrue(lasting.acknowledged(sent.get()));
          });
      Thread client = Thread.ofPlatform().start(() -> readAll(pair[0]));
      for (int i = 0; i < 20; i++) {
        connection.send(Frame.KIND_PONG, new byte[1 << 20]);
        sent.addAndGet(Frame.HEADER + (1 << 20));
      }
      assertTrue(times.get() > 1);
      connection.shutdown();
      client.join();
      connection.close();
    } finally {
      Posix.close(pair[0]);
    }
  }

  private static void readAll(int socket) {
    try (NativeBuffer room = new NativeBuffer(1 << 20)) {
      while (Posix.read(socket, room.address(), 1 << 20) > 0) {}
    }
  }
}
