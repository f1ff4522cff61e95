// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The lanes that handles were last used in. A call posted in one lane may be issued later than a
 * later call in another: one that is about another lane's handle is ordered behind it. A handle
 * that has lost its place here counts as another lane's.
 */
final class HandleLanes {
  private static final int PLACE_BITS = 12;

  /** Streams of everybody have these numbers. */
  private static final long SPECIAL = 2;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int LANE_SHIFT = 48;

  private final AtomicLongArray places = new AtomicLongArray(1 << PLACE_BITS);
  private final AtomicInteger first = new AtomicInteger();
  private volatile boolean several;

  /** A thread makes its calls in a lane from here on; 0 is no context's. */
  void enter(int lane) {
    if (lane != 0 && !several && !first.compareAndSet(0, lane)) {
      several = first.get() != lane;
    }
  }

  /** A handle belongs to that lane. */
  void note(long handle, int lane) {
    places.setOpaque(place(handle), here(handle, lane));
  }

  /** The flag of a call in that lane about a handle. */
  int order(long handle, int lane) {
    return several && handle > SPECIAL && places.getOpaque(place(handle)) != here(handle, lane)
        ? Frame.FLAG_ORDERED
        : 0;
  }

  /** Handles of several kinds have the same low bits, so all count (Fibonacci hashing). */
  private static int place(long handle) {
    return (int) ((handle * GOLDEN) >>> (Long.SIZE - PLACE_BITS));
  }

  private static long here(long handle, int lane) {
    return handle | ((long) lane << LANE_SHIFT);
  }
}
