// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.Room;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Copies between the device and the client's connections for bulk data, piece by piece through
 * page-locked memory: while the device has one, others come or go.
 *
 * <p>A copy to the device returns when all of its pieces are asked for, so that a stream that waits
 * does not hold the client up: there is then more memory, as much as a payload may take.
 */
public final class BulkCopies extends CudaDriverForwarding {
  /** {@code CU_MEMHOSTREGISTER_PORTABLE}. */
  private static final int PORTABLE = 1;

  private static final long LOOK_US = 100;
  private static final long STALLED_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final BulkConnections connections;
  private final BulkBuffers buffers;
  private final ReentrantLock one = new ReentrantLock();
  private final Room scratch = new Room(Long.BYTES);
  // Of copies to the device, also when their call has returned; guarded by the lock.
  private final BulkFlight up;
  private long stalledSince;

  public BulkCopies(CudaDriver delegate, BulkConnections connections) {
    super(delegate);
    this.connections = connections;
    this.buffers = connections.buffers();
    this.up = new BulkFlight(delegate, scratch.address());
  }

  private interface Copy {
    int run() throws InterruptedException;
  }

  private int alone(long bytes, long transfer, Copy copy) {
    one.lock();
    try {
      if (bytes <= 0 || !connections.comes(transfer)) {
        return CudaResult.INVALID_VALUE;
      }
      stalledSince = System.nanoTime();
      reclaim();
      int result = copy.run();
      return connections.isOver() ? CudaResult.UNKNOWN : result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CudaResult.UNKNOWN;
    } finally {
      connections.finish(transfer);
      one.unlock();
    }
  }

  @Override
  public int outboardBulkUp(long destination, long bytes, long stream, long transfer) {
    return alone(bytes, transfer, () -> copyUp(destination, bytes, stream, transfer));
  }

  private int copyUp(long destination, long bytes, long stream, long transfer)
      throws InterruptedException {
    for (long done = 0; done < bytes; ) {
      BulkBuffer piece = next(transfer);
      if (piece == null) {
        return CudaResult.UNKNOWN;
      }
      int count = piece.bytes();
      if (piece.offset() > bytes - count || count > bytes - done) {
        throw new ProtocolException("a piece that is not of its transfer");
      }
      int result = ask(piece, destination + piece.offset(), stream);
      if (result != CudaResult.SUCCESS) {
        return result;
      }
      done += count;
    }
    return CudaResult.SUCCESS;
  }

  private int ask(BulkBuffer piece, long destination, long stream) {
    int result =
        delegate.outboardCopyFromHost(destination, piece.address(), piece.bytes(), stream, 0);
    if (result == CudaResult.SUCCESS) {
      result = up.add(piece, stream);
    }
    if (result != CudaResult.SUCCESS) {
      buffers.give(piece);
    }
    return result;
  }

  /** Waits for a piece, and sees to it that there is room for it; null when the session ends. */
  private BulkBuffer next(long transfer) throws InterruptedException {
    while (!connections.isOver()) {
      reclaim();
      BulkBuffer piece = connections.next(LOOK_US);
      if (piece == null) {
        makeRoom();
      } else if (piece.transfer() == transfer) {
        return piece;
      } else {
        buffers.give(piece);
      }
    }
    return null;
  }

  private void reclaim() {
    for (BulkBuffer piece = up.landed(); piece != null; piece = up.landed()) {
      buffers.give(piece);
      stalledSince = System.nanoTime();
    }
    buffers.lock(this::pageLock);
  }

  /** Where that is not possible the driver copies all the same, more slowly. */
  private void pageLock(long address, long bytes) {
    int result = delegate.outboardHostMap(scratch.address(), address, bytes, PORTABLE);
    if (result != CudaResult.SUCCESS) {
      Log.debug("memory for bulk data cannot be page-locked: " + result);
    }
  }

  /** A stream that does not get to its copies keeps their buffers. */
  private void makeRoom() {
    boolean kept = buffers.isEmpty() && up.count() >= buffers.count() / 2;
    if (kept && System.nanoTime() - stalledSince > STALLED_NS) {
      buffers.grow();
    }
  }

  @Override
  public int outboardBulkDown(long source, long bytes, long stream, long transfer) {
    return alone(bytes, transfer, () -> copyDown(source, bytes, stream, transfer));
  }

  private int copyDown(long source, long bytes, long stream, long transfer)
      throws InterruptedException {
    BulkFlight flight = new BulkFlight(delegate, scratch.address());
    int result = CudaResult.SUCCESS;
    long asked = 0;
    while (result == CudaResult.SUCCESS && (asked < bytes || flight.count() > 0)) {
      BulkBuffer room = asked < bytes ? room(flight) : null;
      if (room == null && flight.count() == 0) {
        return CudaResult.UNKNOWN;
      }
      if (room != null) {
        room.describe(transfer, asked, (int) Math.min(bytes - asked, Limits.CHUNK));
        asked += room.bytes();
        result = ask(flight, room, source, stream);
      } else {
        result = send(flight);
      }
    }
    while (flight.count() > 0) {
      int unused = flight.await();
      buffers.give(flight.take());
    }
    return result;
  }

  /** Waits only where no copy is under way; null also when the session ends. */
  private BulkBuffer room(BulkFlight flight) throws InterruptedException {
    BulkBuffer room = buffers.poll();
    while (room == null && flight.count() == 0 && !connections.isOver()) {
      reclaim();
      makeRoom();
      room = buffers.poll(LOOK_US);
    }
    buffers.lock(this::pageLock);
    return room;
  }

  private int ask(BulkFlight flight, BulkBuffer room, long source, long stream) {
    int result =
        delegate.outboardCopyToHost(
            room.address(), source + room.offset(), room.bytes(), stream, 0);
    if (result == CudaResult.SUCCESS) {
      result = flight.add(room, stream);
    }
    if (result != CudaResult.SUCCESS) {
      buffers.give(room);
    }
    return result;
  }

  private int send(BulkFlight flight) {
    int result = flight.await();
    if (result == CudaResult.SUCCESS) {
      connections.leave(flight.take());
    }
    return result;
  }

  @Override
  public int outboardBulkDrop(long transfer) {
    connections.finish(transfer);
    return CudaResult.SUCCESS;
  }

  /** No event outlives its context. */
  private void settle() {
    one.lock();
    try {
      while (up.count() > 0) {
        int unused = up.await();
        buffers.give(up.take());
      }
    } finally {
      one.unlock();
    }
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    settle();
    return delegate.cuCtxDestroy_v2(context);
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    settle();
    return delegate.cuDevicePrimaryCtxRelease_v2(device);
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    settle();
    return delegate.cuDevicePrimaryCtxReset_v2(device);
  }
}
