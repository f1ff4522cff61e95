// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.patience.Patience;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import io.outboard.wire.Piece;
import io.outboard.wire.ProtocolException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaBulkCopiesTest {
  private static final int CONNECTIONS = 3;
  private static final long CHUNK = Limits.CHUNK;

  /** More than there are buffers at first. */
  private static final long LARGE = 40 * CHUNK + 24;

  private static final int SMALL = 3 * Limits.CHUNK + 16;
  private static final int EQUAL = 1;

  private final BulkConnections connections = new BulkConnections();
  private final CudaDriver driver =
      new CudaBulkCopies(SoftGpu.builder(new SilentConsole()).build(), new BulkMover(connections));
  private final NativeBuffer scratch = new NativeBuffer(4096);
  private final NativeBuffer back = new NativeBuffer(LARGE);
  private final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
  private final List<Integer> sockets = new ArrayList<>();
  private final List<Thread> sending =
      new ArrayList<>(Collections.nCopies(CONNECTIONS, new Thread()));
  private long device;

  @BeforeEach
  void open() {
    assertEquals(0, driver.cuInit(0));
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(scratch.address(), 0));
    assertEquals(0, driver.cuCtxSetCurrent(Native.getLong(scratch.address())));
    device = allocate(LARGE);
    connections.onLoss(losses::add);
    for (int i = 0; i < CONNECTIONS; i++) {
      sockets.add(connect());
    }
  }

  private int connect() {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    connections.add(pair[1]);
    return pair[0];
  }

  @AfterEach
  void close() {
    sockets.forEach(Posix::close);
    scratch.close();
    back.close();
  }

  private long allocate(long bytes) {
    assertEquals(0, driver.cuMemAlloc_v2(scratch.address(), bytes));
    return Native.getLong(scratch.address());
  }

  private static long pattern(long offset, long transfer) {
    return offset * 0x9E3779B97F4A7C15L + transfer;
  }

  private static void send(int socket, long transfer, long offset, int bytes, int sent) {
    try (NativeBuffer piece = new NativeBuffer(Piece.HEADER + CHUNK)) {
      Native.putLong(piece.address() + Piece.TRANSFER, transfer);
      Native.putLong(piece.address() + Piece.OFFSET, offset);
      Native.putInt(piece.address() + Piece.BYTES, bytes);
      for (long i = 0; i < sent; i += Long.BYTES) {
        Native.putLong(piece.address() + Piece.HEADER + i, pattern(offset + i, transfer));
      }
      long from = piece.address();
      for (long n = 1, left = (long) Piece.HEADER + sent; left > 0 && n > 0; left -= n, from += n) {
        n = Posix.write(socket, from, left);
      }
    }
  }

  /** On a thread for each connection, as soon as it is free; the last piece first. */
  private void sendAll(long transfer, long bytes) {
    for (int i = 0; i < CONNECTIONS; i++) {
      int connection = i;
      Thread before = sending.get(i);
      sending.set(
          i,
          Thread.ofPlatform()
              .daemon(true)
              .start(() -> sendFrom(before, connection, transfer, bytes)));
    }
  }

  private void sendFrom(Thread before, int connection, long transfer, long bytes) {
    try {
      before.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    long pieces = (bytes + CHUNK - 1) / CHUNK;
    for (long piece = pieces - 1 - connection; piece >= 0; piece -= CONNECTIONS) {
      int count = (int) Math.min(bytes - piece * CHUNK, CHUNK);
      send(sockets.get(connection), transfer, piece * CHUNK, count, count);
    }
  }

  private void assertOnDevice(long transfer, long bytes) {
    assertEquals(0, driver.cuCtxSynchronize());
    assertEquals(0, driver.cuMemcpyDtoH_v2(back.address(), device, bytes));
    for (long i = 0; i < bytes; i += Long.BYTES) {
      assertEquals(pattern(i, transfer), Native.getLong(back.address() + i));
    }
  }

  private void moveUp(long transfer, long bytes) {
    sendAll(transfer, bytes);
    assertEquals(0, driver.outboardBulkUp(device, bytes, 0, transfer));
    assertOnDevice(transfer, bytes);
  }

  private static void read(int socket, long to, long bytes) {
    for (long done = 0; done < bytes; ) {
      long n = Posix.read(socket, to + done, bytes - done);
      assertTrue(n > 0);
      done += n;
    }
  }

  /** Takes what comes down until it is all there. */
  private void take(long transfer, long bytes) {
    try (NativeBuffer header = new NativeBuffer(Piece.HEADER)) {
      for (long come = 0, i = 0; come < bytes; i++) {
        int socket = sockets.get((int) (i % CONNECTIONS));
        if (Posix.poll(socket, Posix.POLLIN, 1) == 1) {
          read(socket, header.address(), Piece.HEADER);
          assertEquals(transfer, Native.getLong(header.address() + Piece.TRANSFER));
          int count = Native.getInt(header.address() + Piece.BYTES);
          read(socket, back.address() + Native.getLong(header.address() + Piece.OFFSET), count);
          come += count;
        }
      }
    }
  }

  private void moveDown(long transfer, long bytes, long pattern) throws InterruptedException {
    Native.fill(back.address(), bytes, (byte) 0);
    Thread taking = Thread.ofPlatform().start(() -> take(transfer, bytes));
    assertEquals(0, driver.outboardBulkDown(device, bytes, 0, transfer));
    taking.join();
    for (long i = 0; i < bytes; i += Long.BYTES) {
      assertEquals(pattern(i, pattern), Native.getLong(back.address() + i));
    }
  }

  @Test
  void bytesGoBothWays() throws InterruptedException {
    moveUp(1, SMALL);
    moveDown(2, SMALL, 1);
    moveUp(3, LARGE);
    moveDown(4, LARGE, 3);
    assertEquals(0, losses.size());
  }

  @Test
  void whatIsDroppedIsForNobody() {
    sendAll(1, LARGE);
    assertEquals(0, driver.outboardBulkDrop(1));
    moveUp(2, SMALL);
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardBulkUp(device, SMALL, 0, 1));
    assertEquals(CudaResult.INVALID_VALUE, driver.outboardBulkDown(device, SMALL, 0, 2));
    moveUp(3, SMALL);
  }

  @Test
  void aCopyThatFailsLeavesNothing() throws InterruptedException {
    sendAll(1, LARGE);
    assertNotEquals(0, driver.outboardBulkUp(12345, LARGE, 0, 1));
    assertNotEquals(0, driver.outboardBulkDown(12345, LARGE, 0, 2));
    moveUp(3, LARGE);
    moveDown(4, SMALL, 3);
  }

  /** The copies wait for the stream, and the client does not. */
  @Test
  void aStreamThatWaitsHoldsNobodyUp() {
    long word = allocate(8);
    assertEquals(0, driver.cuMemsetD32_v2(word, 0, 1));
    assertEquals(0, driver.cuStreamCreate(scratch.address(), 1));
    long stream = Native.getLong(scratch.address());
    assertEquals(0, driver.cuMemsetD32_v2(device, 0, LARGE / 4));
    assertEquals(0, driver.cuStreamWaitValue32_v2(stream, word, 7, EQUAL));
    sendAll(1, LARGE);
    assertEquals(0, driver.outboardBulkUp(device, LARGE, stream, 1));
    assertEquals(CudaResult.NOT_READY, driver.cuStreamQuery(stream));
    assertEquals(0, driver.cuMemcpyDtoH_v2(back.address(), device + LARGE - 8, 8));
    assertEquals(0, Native.getLong(back.address()));
    assertOthersGetOn();
    assertEquals(0, driver.cuMemsetD32_v2(word, 7, 1));
    assertOnDevice(1, LARGE);
    moveUp(6, SMALL);
  }

  /** A stream that waits does not keep the buffers of copies in other streams. */
  private void assertOthersGetOn() {
    int made = connections.buffers().count();
    assertEquals(0, driver.cuStreamCreate(scratch.address(), 1));
    long stream = Native.getLong(scratch.address());
    long memory = allocate(LARGE);
    for (long transfer = 2; transfer < 6; transfer++) {
      sendAll(transfer, LARGE);
      assertEquals(0, driver.outboardBulkUp(memory, LARGE, stream, transfer));
    }
    int more = connections.buffers().count() - made;
    assertTrue(more < 3 * LARGE / CHUNK, () -> more + " buffers more");
  }

  @Test
  void aContextMayEndAfterACopy() {
    assertEquals(0, driver.cuCtxCreate_v2(scratch.address(), 0, 0));
    long context = Native.getLong(scratch.address());
    long memory = allocate(SMALL);
    sendAll(1, SMALL);
    assertEquals(0, driver.outboardBulkUp(memory, SMALL, 0, 1));
    assertEquals(0, driver.cuCtxDestroy_v2(context));
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(scratch.address(), 0));
    assertEquals(0, driver.cuCtxSetCurrent(Native.getLong(scratch.address())));
    moveUp(2, SMALL);
  }

  private void assertLost(String why) throws InterruptedException {
    String told = Patience.take(losses);
    assertTrue(told.contains(why), () -> "told: " + told);
    assertNotEquals(0, driver.outboardBulkUp(device, SMALL, 0, 1));
  }

  @Test
  void anEmptyPieceBreaksTheProtocol() throws InterruptedException {
    send(sockets.getFirst(), 1, 0, 0, 0);
    assertLost("broke the protocol");
  }

  @Test
  void aPieceThatIsTooLargeBreaksTheProtocol() throws InterruptedException {
    send(sockets.getFirst(), 1, 0, Limits.CHUNK + 1, 0);
    assertLost("broke the protocol");
  }

  @Test
  void aNegativePlaceBreaksTheProtocol() throws InterruptedException {
    send(sockets.getFirst(), 1, -8, 64, 64);
    assertLost("broke the protocol");
  }

  @Test
  void aPieceBeyondTheEndBreaksTheProtocol() {
    send(sockets.getFirst(), 1, SMALL - 8, 64, 64);
    assertThrows(ProtocolException.class, () -> driver.outboardBulkUp(device, SMALL, 0, 1));
  }

  @Test
  void aConnectionThatBreaksIsALoss() throws InterruptedException {
    send(sockets.getFirst(), 1, 0, 64, 32);
    Sockets.shutdown(sockets.getFirst(), Sockets.SHUT_WR);
    assertLost("broke");
  }

  @Test
  void aConnectionThatIsClosedIsALoss() throws InterruptedException {
    Sockets.shutdown(sockets.getFirst(), Sockets.SHUT_WR);
    assertLost("closed a connection");
  }

  @Test
  void thereIsALimitOfConnections() {
    while (sockets.size() < Limits.BULK_CONNECTIONS) {
      sockets.add(connect());
    }
    int more = connect();
    assertEquals(0, Posix.read(more, scratch.address(), 1));
    Posix.close(more);
  }
}
