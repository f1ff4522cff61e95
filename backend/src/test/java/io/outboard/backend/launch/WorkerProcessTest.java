// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.worker.HandOver;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Workers that take nothing of what they are given. */
final class WorkerProcessTest {
  private static final int SOL_SOCKET = 1;
  private static final int SO_SNDTIMEO = 21;
  private static final int KILLED = 128 + 9;

  @Test
  void aWorkerThatHasStoppedHoldsNobodyUpAndEnds() throws Exception {
    Process stopped = new ProcessBuilder("sleep", "1000").start();
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    WorkerProcess worker = new WorkerProcess(WorkerKind.PLAIN, stopped, OptionalInt.empty());
    worker.connected(pair[0], stopped.pid());
    assertTrue(Sockets.option(pair[0], SOL_SOCKET, SO_SNDTIMEO) > 0, "a write has a limit");
    Sockets.setTimeout(pair[0], 10);
    assertThrows(
        IOException.class,
        () -> {
          while (true) {
            worker.give(HandOver.Further.of(HandOver.Purpose.ORDERS, pair[1]));
          }
        });
    assertEquals(KILLED, stopped.waitFor());
    Posix.close(pair[1]);
    Posix.close(pair[0]);
  }
}
