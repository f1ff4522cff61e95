// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.LogLines;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.Patience;
import io.outboard.wire.Native;
import io.outboard.wire.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BulkConnectionsTest {
  private static final int TRANSFERS = 10_000;
  private static final int PIECES = 8;
  private static final int SPINS = 100;
  private static final int LOSSES = 50;

  private final BulkConnections connections = new BulkConnections();

  /** The client is welcome before the daemon has passed its connection on. */
  @Test
  void aTransferWaitsForTheFirstConnection() throws Exception {
    CompletableFuture<Boolean> comes = new CompletableFuture<>();
    Thread waiting = Thread.ofPlatform().start(() -> comes.complete(comes(1)));
    Patience.untilWaits(waiting);
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

  /** It does not wait for a connection that does not come. */
  private void failsAtOnce(long transfer) {
    try (LogLines log = new LogLines()) {
      assertFalse(comes(transfer));
      assertFalse(log.has("a transfer was given up"));
    }
  }

  /** The client says so, where this side sees nothing: its next transfer is told so. */
  @Test
  void whatTheClientHasLostIsLostHere() throws Exception {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    connections.outlive(_ -> {});
    connections.add(pair[1]);
    assertFalse(connections.hasLost(1));
    connections.lostByClient(1);
    assertTrue(connections.hasLost(1));
    assertTrue(connections.isOver(0));
    failsAtOnce(1);
    int[] next = new int[2];
    assertEquals(0, Sockets.socketpair(next));
    connections.add(next[1]);
    assertFalse(comes(1));
    assertTrue(connections.hasLost(1));
    assertTrue(comes(2));
    connections.lostByClient(2);
    Posix.close(pair[0]);
    Posix.close(next[0]);
  }

  /** This side alone sees it: the client is told, and until it knows nothing is waited for. */
  @Test
  void whatIsLostHereIsToldToTheClient() throws Exception {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    CompletableFuture<Long> told = new CompletableFuture<>();
    connections.outlive(told::complete);
    connections.add(pair[1]);
    assertTrue(comes(3));
    Posix.close(pair[0]);
    assertEquals(3, told.get());
    failsAtOnce(4);
    assertTrue(connections.hasLost(4));
    connections.lostByClient(4);
    assertTrue(connections.hasLost(4));
    int[] next = new int[2];
    assertEquals(0, Sockets.socketpair(next));
    connections.add(next[1]);
    assertTrue(comes(5));
    connections.lostByClient(5);
    Posix.close(next[0]);
  }

  /**
   * A writer that waits at a connection that the client has lost leaves the next piece to others.
   */
  @Test
  void noPieceLeavesOverALostConnection() {
    connections.outlive(_ -> {});
    try (NativeBuffer data = new NativeBuffer(Long.BYTES)) {
      int lost = connect();
      for (int transfer = 1; transfer <= LOSSES; transfer++) {
        connections.lostByClient(transfer);
        int next = connect();
        BulkPiece piece = new BulkPiece(transfer + 1, 0, data.address(), Long.BYTES, () -> {});
        connections.leave(piece, connections.losses());
        assertEquals(transfer + 1, nextTransfer(next));
        Posix.close(lost);
        lost = next;
      }
      connections.lostByClient(LOSSES + 1);
      Posix.close(lost);
    }
  }

  /** The client's end of one more connection. */
  private int connect() {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    connections.add(pair[1]);
    return pair[0];
  }

  /** The number of the transfer whose piece comes. */
  private static long nextTransfer(int socket) {
    assertEquals(1, Posix.poll(socket, Posix.POLLIN, Patience.milliseconds()), "no piece came");
    try (NativeBuffer header = new NativeBuffer(Piece.HEADER)) {
      assertEquals(Piece.HEADER, Posix.read(socket, header.address(), Piece.HEADER));
      return Native.getLong(header.address() + Piece.TRANSFER);
    }
  }

  /** Late pieces are for nobody while whoever waits for other ones takes them too. */
  @Test
  void eachBufferIsFreeOnce() throws Exception {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    connections.outlive(_ -> {});
    connections.add(pair[1]);
    AtomicBoolean over = new AtomicBoolean();
    Thread mover = Thread.ofPlatform().start(() -> passAll(over));
    sendPieces(pair[0]);
    Posix.close(pair[0]);
    while (connections.losses() == 0) {
      Thread.onSpinWait();
    }
    over.set(true);
    mover.join();
    List<BulkBuffer> free = new ArrayList<>();
    for (BulkBuffer one = free(); one != null; one = free()) {
      free.add(one);
    }
    assertEquals(connections.buffers().count(), free.size());
  }

  private BulkBuffer free() {
    return connections.buffers().poll();
  }

  private void passAll(AtomicBoolean over) {
    try {
      while (!over.get()) {
        BulkBuffer piece = connections.next(1);
        if (piece != null) {
          connections.buffers().give(piece);
        }
        for (int i = 0; i < SPINS; i++) {
          Thread.onSpinWait();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void sendPieces(int socket) {
    try (NativeBuffer piece = new NativeBuffer(Piece.HEADER + Long.BYTES)) {
      Native.fill(piece.address(), Piece.HEADER + Long.BYTES, (byte) 0);
      Native.putInt(piece.address() + Piece.BYTES, Long.BYTES);
      for (long transfer = 1; transfer <= TRANSFERS; transfer++) {
        Native.putLong(piece.address() + Piece.TRANSFER, transfer);
        for (int i = 0; i < PIECES; i++) {
          assertEquals(0, Posix.writeAll(socket, piece.address(), Piece.HEADER + Long.BYTES));
        }
        connections.finish(transfer);
      }
    }
  }

  private boolean comes(long transfer) {
    try {
      return connections.comes(transfer);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
