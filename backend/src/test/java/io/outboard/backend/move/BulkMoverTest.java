// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.Piece;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mover that all libraries' copies go through; the device here does as it is told. */
class BulkMoverTest {
  private static final long CHUNK = Limits.CHUNK;

  /** As many as are made at a time. */
  private static final int MOST = 16;

  private static final int FULL = 77;

  private final BulkConnections connections = new BulkConnections(MOST);
  private final BulkMover mover = new BulkMover(connections);
  private final NativeBuffer piece = new NativeBuffer(Piece.HEADER + CHUNK);
  private int client;

  private static int code(DeviceCopies.Failure failure) {
    return failure == DeviceCopies.Failure.FULL ? FULL : -1;
  }

  /** Copies of one queue, whose ends this test says. */
  private static final class Device implements DeviceCopies {
    private final List<Long> started = new ArrayList<>();
    private final long patienceNs;
    private final List<Integer> endedBefore = new ArrayList<>();
    private boolean done;
    private int ended;
    private int result;

    Device(long patienceNs) {
      this.patienceNs = patienceNs;
    }

    @Override
    public int start(long data, long offset, int bytes) {
      started.add(offset);
      endedBefore.add(ended);
      return 0;
    }

    @Override
    public Mark mark() {
      return new Mark() {
        @Override
        public boolean isDone() {
          return done;
        }

        @Override
        public int await() {
          return result;
        }

        @Override
        public void end() {
          ended++;
        }
      };
    }

    @Override
    public Object order() {
      return this;
    }

    @Override
    public long patienceNs() {
      return patienceNs;
    }

    @Override
    public int code(Failure failure) {
      return BulkMoverTest.code(failure);
    }
  }

  @BeforeEach
  void open() {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    connections.add(pair[1]);
    client = pair[0];
  }

  @AfterEach
  void close() {
    connections.lost("the test is over");
    Posix.close(client);
    piece.close();
  }

  private void send(long transfer, int pieces) {
    for (int i = 0; i < pieces; i++) {
      Native.putLong(piece.address() + Piece.TRANSFER, transfer);
      Native.putLong(piece.address() + Piece.OFFSET, i * CHUNK);
      Native.putInt(piece.address() + Piece.BYTES, Limits.CHUNK);
      Posix.writeAll(client, piece.address(), Piece.HEADER + Limits.CHUNK);
    }
  }

  private Thread sending(long transfer, int pieces) {
    return Thread.ofPlatform().daemon(true).start(() -> send(transfer, pieces));
  }

  @Test
  void aTransferThatIsAwaitedTellsHowItsPiecesEnded() throws InterruptedException {
    Device device = new Device(Long.MAX_VALUE);
    device.result = -14;
    Thread sending = sending(1, 3);
    assertEquals(-14, mover.upAndAwait(3 * CHUNK, 1, device));
    assertEquals(List.of(0L, CHUNK, 2 * CHUNK), device.started);
    assertEquals(3, device.ended);
    sending.join();
  }

  @Test
  void aTransferThatIsNotAwaitedLeavesItsPiecesToTheDevice() throws InterruptedException {
    Device device = new Device(Long.MAX_VALUE);
    Thread sending = sending(1, 3);
    assertEquals(0, mover.up(3 * CHUNK, 1, device));
    assertEquals(0, device.ended);
    sending.join();
    device.done = true;
    sending = sending(2, 1);
    assertEquals(0, mover.up(CHUNK, 2, new Device(Long.MAX_VALUE)));
    assertEquals(3, device.ended);
    sending.join();
  }

  @Test
  void aPieceThatHasBeenCopiedLeavesBeforeTheNextIsAskedFor() {
    Device device = new Device(Long.MAX_VALUE);
    device.done = true;
    assertEquals(0, mover.down(4 * CHUNK, 1, device));
    assertEquals(List.of(0, 1, 2, 3), device.endedBefore);
  }

  @Test
  void memoryOfThisProcessIsSentFromWhereItLies() throws InterruptedException {
    try (NativeBuffer memory = new NativeBuffer(CHUNK + 8)) {
      Native.putLong(memory.address(), 41);
      Native.putLong(memory.address() + CHUNK, 42);
      Thread sending =
          Thread.ofPlatform()
              .start(() -> mover.send(memory.address(), CHUNK + 8, 1, BulkMoverTest::code));
      assertPiece(1, 0, Limits.CHUNK, 41);
      assertPiece(1, CHUNK, 8, 42);
      sending.join();
    }
  }

  /** Its memory goes with the session. */
  @Test
  void aLossEndsASendThatNobodyTakes() {
    try (NativeBuffer memory = new NativeBuffer(64 * CHUNK)) {
      Thread.ofPlatform().start(() -> connections.lost("the test says so"));
      assertEquals(-1, mover.send(memory.address(), 64 * CHUNK, 1, BulkMoverTest::code));
    }
  }

  private void assertPiece(long transfer, long offset, int bytes, long first) {
    readWhole(Piece.HEADER);
    assertEquals(transfer, Native.getLong(piece.address() + Piece.TRANSFER));
    assertEquals(offset, Native.getLong(piece.address() + Piece.OFFSET));
    assertEquals(bytes, Native.getInt(piece.address() + Piece.BYTES));
    readWhole(bytes);
    assertEquals(first, Native.getLong(piece.address()));
  }

  private void readWhole(int bytes) {
    for (int done = 0; done < bytes; ) {
      long n = Posix.read(client, piece.address() + done, bytes - done);
      assertTrue(n > 0, () -> "read " + n);
      done += (int) n;
    }
  }

  /** The client may be the one that the device waits for. */
  @Test
  void aDeviceThatKeepsAllMemoryFailsATransfer() throws InterruptedException {
    Device device = new Device(1);
    Thread sending = sending(1, MOST + 2);
    assertEquals(FULL, mover.up((MOST + 2) * CHUNK, 1, device));
    assertTrue(device.started.size() >= MOST / 2, () -> device.started.size() + " pieces");
    device.done = true;
    sending.join();
    sending = sending(2, 2);
    assertEquals(0, mover.up(2 * CHUNK, 2, device));
    sending.join();
  }
}
