// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.library.SessionContext;
import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Moves a session's transfers between its devices and the client's connections for bulk data, piece
 * by piece: while a device copies one piece, others come or go. One transfer is at work at a time,
 * of whichever library.
 *
 * <p>A transfer to a device ends when all of its pieces are asked for, so that a stream that waits
 * does not hold the client up: there is then more memory, as much as a payload may take.
 */
public final class BulkMover {
  private static final long LOOK_US = 100;
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final BulkConnections connections;
  private final BulkBuffers buffers;
  private final ReentrantLock one = new ReentrantLock();
  // Of transfers to devices, also when their call has returned; guarded by the lock.
  private final Uploads up;
  private final long silenceNs;
  // Of connections, when the transfer began that is at work; guarded by the lock.
  private int losses;

  /** For a session's connections. */
  BulkMover(BulkConnections connections) {
    this(connections, Long.MAX_VALUE);
  }

  /** Connections over which nothing comes for so long, where something is awaited, are lost. */
  BulkMover(BulkConnections connections, long silenceNs) {
    this.connections = connections;
    this.silenceNs = silenceNs;
    this.buffers = connections.buffers();
    this.up = new Uploads(buffers);
  }

  /** A session's. */
  public static BulkMover of(SessionContext context) {
    BulkConnections connections = BulkConnections.of(context);
    return context.shared(BulkMover.class, () -> new BulkMover(connections));
  }

  private interface Copy {
    int run() throws InterruptedException;
  }

  private int alone(
      long bytes, long transfer, ToIntFunction<DeviceCopies.Failure> codes, Copy copy) {
    one.lock();
    try {
      losses = connections.losses();
      if (bytes <= 0 || !connections.comes(transfer)) {
        return codes.applyAsInt(
            connections.hasLost(transfer)
                ? DeviceCopies.Failure.LOST
                : DeviceCopies.Failure.REFUSED);
      }
      up.begin();
      int result = copy.run();
      return isOver() ? codes.applyAsInt(DeviceCopies.Failure.LOST) : result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return codes.applyAsInt(DeviceCopies.Failure.LOST);
    } finally {
      connections.finish(transfer);
      one.unlock();
    }
  }

  private boolean isOver() {
    return connections.isOver(losses);
  }

  /** Copies to a device what comes; all of it is asked for when this returns. */
  public int up(long bytes, long transfer, DeviceCopies copies) {
    return alone(bytes, transfer, copies::code, () -> copyUp(bytes, transfer, copies));
  }

  /** The same, and waits for the device. */
  public int upAndAwait(long bytes, long transfer, DeviceCopies copies) {
    return alone(
        bytes,
        transfer,
        copies::code,
        () -> {
          int result = copyUp(bytes, transfer, copies);
          int ended = up.await(copies.order());
          return result == 0 ? ended : result;
        });
  }

  private int copyUp(long bytes, long transfer, DeviceCopies copies) throws InterruptedException {
    for (long done = 0; done < bytes; ) {
      BulkBuffer piece = next(transfer, copies.patienceNs());
      if (piece == null) {
        return copies.code(isOver() ? DeviceCopies.Failure.LOST : DeviceCopies.Failure.FULL);
      }
      int count = piece.bytes();
      if (piece.offset() > bytes - count || count > bytes - done) {
        throw new ProtocolException("a piece that is not of its transfer");
      }
      int result = up.start(copies, piece);
      if (result != 0) {
        return result;
      }
      done += count;
    }
    return 0;
  }

  /**
   * Waits for a piece, and sees to it that there is room for it; null when the session ends, or
   * there is no room for so long.
   */
  private BulkBuffer next(long transfer, long patienceNs) throws InterruptedException {
    long begun = System.nanoTime();
    while (!isOver() && !up.isFull(patienceNs)) {
      up.reclaim();
      BulkBuffer piece = connections.next(LOOK_US);
      if (piece == null && System.nanoTime() - begun > silenceNs) {
        connections.dropAll();
      } else if (piece == null) {
        up.makeRoom();
      } else if (piece.transfer() == transfer) {
        return piece;
      } else {
        buffers.give(piece);
      }
    }
    return null;
  }

  /** Copies from a device; all of it has been copied, and is on its way, when this returns. */
  public int down(long bytes, long transfer, DeviceCopies copies) {
    return alone(bytes, transfer, copies::code, () -> copyDown(bytes, transfer, copies));
  }

  private int copyDown(long bytes, long transfer, DeviceCopies copies) throws InterruptedException {
    BulkFlight flight = new BulkFlight();
    int result = 0;
    long asked = 0;
    while (result == 0 && (asked < bytes || flight.count() > 0)) {
      BulkBuffer room = asked < bytes ? room(flight) : null;
      if (room == null && flight.count() == 0) {
        return copies.code(DeviceCopies.Failure.LOST);
      }
      if (room != null) {
        room.describe(transfer, asked, (int) Math.min(bytes - asked, Limits.CHUNK));
        asked += room.bytes();
        result = flight.start(copies, room, buffers);
      }
      if (result == 0 && (room == null || flight.isOver(copies.order()))) {
        result = send(flight, copies.order());
      }
    }
    while (flight.count() > 0) {
      int unused = flight.await(copies.order());
      buffers.give(flight.take(copies.order()));
    }
    return result;
  }

  /** Waits only where no copy is under way; null also when the session ends. */
  private BulkBuffer room(BulkFlight flight) throws InterruptedException {
    return up.room(() -> flight.count() == 0 && !isOver());
  }

  private int send(BulkFlight flight, Object order) {
    int result = flight.await(order);
    if (result == 0) {
      connections.leave(flight.take(order), losses);
    }
    return result;
  }

  /** Sends memory of this process from where it lies; it is free when this returns. */
  public int send(long data, long bytes, long transfer, ToIntFunction<DeviceCopies.Failure> codes) {
    return alone(bytes, transfer, codes, () -> sendAll(data, bytes, transfer));
  }

  private int sendAll(long data, long bytes, long transfer) throws InterruptedException {
    CountDownLatch left = new CountDownLatch((int) Math.ceilDiv(bytes, (long) Limits.CHUNK));
    for (long done = 0; done < bytes; done += Limits.CHUNK) {
      int count = (int) Math.min(bytes - done, Limits.CHUNK);
      connections.leave(new BulkPiece(transfer, done, data + done, count, left::countDown), losses);
    }
    boolean all = false;
    // Pieces of lost connections count too, as soon as nobody reads them any more.
    while (!all && !connections.isOver()) {
      all = left.await(LOOK_NS, TimeUnit.NANOSECONDS);
    }
    return 0;
  }

  /** Pieces that still come, of this transfer and of earlier ones, are dropped. */
  public void drop(long transfer) {
    connections.finish(transfer);
  }

  /** Page-locks what memory for pieces is not yet; by a library that copies sooner then. */
  void pageLock(BulkBuffers.Lock lock) {
    buffers.lock(lock);
  }

  /** Waits for pieces that are copied to devices in the orders that a test says. */
  void settle(Predicate<Object> orders) {
    one.lock();
    try {
      up.settle(orders);
    } finally {
      one.unlock();
    }
  }
}
