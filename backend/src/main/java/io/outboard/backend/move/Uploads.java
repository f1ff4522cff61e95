// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Pieces that devices are asked for and may not have copied yet, also when the call that asked has
 * returned. A stream that waits keeps their memory, so there is then more. One thread uses this at
 * a time.
 */
final class Uploads {
  private static final long STALLED_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LOOK_US = 100;

  private final BulkBuffers buffers;
  private final BulkFlight flight = new BulkFlight();
  private long stalledSince;

  Uploads(BulkBuffers buffers) {
    this.buffers = buffers;
  }

  /** A transfer begins. */
  void begin() {
    stalledSince = System.nanoTime();
    reclaim();
  }

  /** Asks for the copy of a piece; one that is refused gives its memory back. */
  int start(DeviceCopies copies, BulkBuffer piece) {
    return flight.start(copies, piece, buffers);
  }

  /** Takes back the memory of pieces that have been copied. */
  void reclaim() {
    for (BulkBuffer piece = flight.landed(); piece != null; piece = flight.landed()) {
      buffers.give(piece);
      stalledSince = System.nanoTime();
    }
  }

  /** Makes more memory where devices keep what there is. */
  void makeRoom() {
    if (isKept(STALLED_NS)) {
      buffers.grow();
    }
  }

  /** Whether there is no more memory, and devices have kept it for so long. */
  boolean isFull(long forNs) {
    return buffers.isFull() && isKept(forNs);
  }

  /** A stream that does not get to its copies keeps their buffers. */
  private boolean isKept(long forNs) {
    boolean kept = buffers.isEmpty() && flight.count() >= buffers.count() / 2;
    return kept && System.nanoTime() - stalledSince > forNs;
  }

  /** Memory for a piece; null where devices keep as much as there may be. */
  BulkBuffer room() throws InterruptedException {
    if (buffers.count() == 0) {
      buffers.grow();
    }
    return room(() -> !isFull(STALLED_NS));
  }

  /** Memory for a piece, which is waited for as long as a test says; null then. */
  BulkBuffer room(BooleanSupplier waits) throws InterruptedException {
    BulkBuffer room = buffers.poll();
    while (room == null && waits.getAsBoolean()) {
      reclaim();
      makeRoom();
      room = buffers.poll(LOOK_US);
    }
    return room;
  }

  /** Waits for all pieces of an order; returns the result of the first one that failed. */
  int await(Object order) {
    int result = 0;
    while (flight.has(order)) {
      int ended = flight.await(order);
      result = result == 0 ? ended : result;
      buffers.give(flight.take(order));
    }
    return result;
  }

  /** Waits for all pieces of the orders that a test says. */
  void settle(Predicate<Object> orders) {
    for (Object order : flight.orders(orders)) {
      int unused = await(order);
    }
  }
}
