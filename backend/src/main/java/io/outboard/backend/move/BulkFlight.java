// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Pieces whose copies a library has been asked for and may not have done yet, in the order of each
 * stream or queue. The mark behind each says when its buffer is free.
 */
final class BulkFlight {
  private record Flying(BulkBuffer piece, DeviceCopies.Mark mark) {}

  // By order: one that waits holds up no other. None is empty.
  private final Map<Object, Deque<Flying>> orders = new LinkedHashMap<>();
  private int count;

  int count() {
    return count;
  }

  /** Asks for the copy of a piece; one that is refused goes back to where it is from. */
  int start(DeviceCopies copies, BulkBuffer piece, BulkBuffers from) {
    int result = copies.start(piece.address(), piece.offset(), piece.bytes());
    if (result == 0) {
      add(piece, copies);
    } else {
      from.give(piece);
    }
    return result;
  }

  private void add(BulkBuffer piece, DeviceCopies copies) {
    orders
        .computeIfAbsent(copies.order(), _ -> new ArrayDeque<>())
        .addLast(new Flying(piece, copies.mark()));
    count++;
  }

  /** A piece whose copy is over, however it went; null if there is none. */
  BulkBuffer landed() {
    for (Map.Entry<Object, Deque<Flying>> order : orders.entrySet()) {
      if (isOver(order.getKey())) {
        return take(order.getKey());
      }
    }
    return null;
  }

  /** Whether the oldest piece of an order, which has one, has been copied, however it went. */
  boolean isOver(Object order) {
    return orders.get(order).getFirst().mark.isDone();
  }

  /** Waits for the oldest piece of an order, which has one; returns its copy's result. */
  int await(Object order) {
    return orders.get(order).getFirst().mark.await();
  }

  /** Whether an order has a piece. */
  boolean has(Object order) {
    return orders.containsKey(order);
  }

  /** The orders that a test says are wanted. */
  List<Object> orders(Predicate<Object> wanted) {
    return orders.keySet().stream().filter(wanted).toList();
  }

  /** Takes out the piece that {@link #await} waits for. */
  BulkBuffer take(Object order) {
    Deque<Flying> pieces = orders.get(order);
    Flying oldest = pieces.removeFirst();
    if (pieces.isEmpty()) {
      orders.remove(order);
    }
    count--;
    oldest.mark.end();
    return oldest.piece;
  }
}
