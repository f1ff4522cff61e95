// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Limits;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The results of posted calls that failed: of each lane the first, until a later call of the lane
 * and the library is answered with it. Safe for use by many threads.
 */
final class Latches {
  // By lane: the library in the upper half, the result in the lower; 0 where none has failed.
  private final AtomicLongArray all = new AtomicLongArray(Limits.LANES);

  void keep(CallFrame call, int result) {
    long latch = ((long) call.libraryNumber << 32) | Integer.toUnsignedLong(result);
    all.compareAndSet(call.lane, 0, latch);
  }

  /** The result of an earlier posted call of the lane and library, returned once; else 0. */
  int take(CallFrame call) {
    long latch = all.get(call.lane);
    boolean own = latch != 0 && (int) (latch >>> 32) == call.libraryNumber;
    return own && all.compareAndSet(call.lane, latch, 0) ? (int) latch : 0;
  }

  void clear(int lane) {
    all.set(lane, 0);
  }
}
