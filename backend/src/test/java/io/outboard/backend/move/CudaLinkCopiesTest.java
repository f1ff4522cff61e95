// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies over a link between two hosts, of which either may be lost or wrong. */
class CudaLinkCopiesTest {
  private static final int SLOT = 3;

  /** More than there are buffers. */
  private static final long BYTES = 70L * Limits.CHUNK + 24;

  /** Waited for by the one test of it; in all others what should come comes, however late. */
  private static final long SILENCE_NS = Patience.of(Duration.ofSeconds(1)).toNanos();

  private final int[] link = new int[2];
  private final NativeBuffer scratch = new NativeBuffer(Long.BYTES);
  private final Host sender = new Host();
  private Host receiver = new Host();

  private final class Host {
    private final LinkedHosts links;
    private final CudaDriver driver;
    private long memory;

    Host() {
      this(TimeUnit.DAYS.toNanos(1));
    }

    Host(long silenceNs) {
      links = new LinkedHosts(silenceNs);
      driver = new CudaLinkCopies(SoftGpu.builder(new SilentConsole()).build(), links);
    }

    void open() {
      ok(driver.cuInit(0));
      enter();
      ok(driver.cuMemAlloc_v2(scratch.address(), BYTES));
      memory = Native.getLong(scratch.address());
    }

    void enter() {
      try (NativeBuffer context = new NativeBuffer(Long.BYTES)) {
        ok(driver.cuDevicePrimaryCtxRetain(context.address(), 0));
        ok(driver.cuCtxSetCurrent(Native.getLong(context.address())));
      }
    }
  }

  @BeforeEach
  void open() {
    sender.open();
    receiver.open();
    ok(Sockets.socketpair(link));
  }

  @AfterEach
  void close() {
    sender.links.dropAll();
    receiver.links.dropAll();
    scratch.close();
  }

  private static void ok(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  private int receive(long transfer) {
    receiver.enter();
    return receiver.driver.outboardLinkReceive(receiver.memory, BYTES, 0, transfer);
  }

  private CompletableFuture<Integer> send(long transfer) {
    return CompletableFuture.supplyAsync(
        () -> {
          sender.enter();
          return sender.driver.outboardLinkSend(sender.memory, BYTES, 0, transfer, SLOT);
        });
  }

  @Test
  void theBytesAreThereWhenItReturns() {
    sender.links.to(SLOT).add(link[0]);
    receiver.links.from().add(link[1]);
    ok(sender.driver.outboardLinkFind(SLOT));
    for (int transfer = 1; transfer < 4; transfer++) {
      sender.enter();
      ok(sender.driver.cuMemsetD32_v2(sender.memory, transfer, BYTES / 4));
      CompletableFuture<Integer> sent = send(transfer);
      ok(receive(transfer));
      ok(sent.join());
      for (long at = 0; at < BYTES; at += Limits.CHUNK / 2) {
        ok(receiver.driver.cuMemcpyDtoH_v2(scratch.address(), receiver.memory + at, 4));
        assertEquals(transfer, Native.getInt(scratch.address()));
      }
    }
  }

  @Test
  void whereThereIsNoLinkNothingIsSent() {
    for (int slot : new int[] {SLOT, -1, 0, 8, Integer.MAX_VALUE}) {
      assertEquals(CudaResult.NOT_SUPPORTED, sender.driver.outboardLinkFind(slot));
      int sent = sender.driver.outboardLinkSend(sender.memory, BYTES, 0, 1, slot);
      assertEquals(CudaResult.NOT_SUPPORTED, sent);
    }
    Posix.close(link[0]);
    Posix.close(link[1]);
  }

  private void isLost(long transfer) {
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, receive(transfer));
  }

  /** One whose sender is stopped, or whose network is gone. */
  @Test
  void aSilentLinkIsLost() {
    receiver = new Host(SILENCE_NS);
    receiver.open();
    receiver.links.from().add(link[1]);
    isLost(1);
    Posix.close(link[0]);
  }

  @Test
  void aLinkThatEndsInACopyIsLost() {
    receiver.links.from().add(link[1]);
    piece(0, Limits.CHUNK, Limits.CHUNK / 2);
    Posix.close(link[0]);
    isLost(1);
  }

  /** The sender's worker goes on, and its client is told. */
  @Test
  void aReceiverThatEndsInACopyIsLost() {
    sender.links.to(SLOT).add(link[0]);
    CompletableFuture<Integer> sent = send(1);
    Posix.read(link[1], scratch.address(), Long.BYTES);
    Posix.close(link[1]);
    assertEquals(CudaResult.DEVICE_UNAVAILABLE, sent.join());
  }

  /** Nobody waits for a link that was lost. */
  @Test
  void nothingComesOverALinkThatWasLost() {
    receiver.links.from().add(link[1]);
    receiver.links.dropAll();
    isLost(1);
    Posix.close(link[0]);
  }

  private void piece(long offset, int bytes, int sent) {
    try (NativeBuffer piece = new NativeBuffer(Piece.HEADER + (long) sent)) {
      Native.putLong(piece.address() + Piece.TRANSFER, 1);
      Native.putLong(piece.address() + Piece.OFFSET, offset);
      Native.putInt(piece.address() + Piece.BYTES, bytes);
      ok(Math.min(0, Posix.writeAll(link[0], piece.address(), Piece.HEADER + sent)));
    }
  }

  /** Nothing of it reaches memory that is not the copy's, and the session goes on. */
  @Test
  void aPieceOutsideOfItsCopyIsRefused() {
    receiver.links.from().add(link[1]);
    piece(BYTES - 8, 16, 16);
    isLost(1);
    Posix.close(link[0]);
    ok(receiver.driver.cuCtxSynchronize());
  }
}
