// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cupti.CuptiResult;
import io.outboard.wire.Native;

/** Moves times of the host's CUPTI to {@link System#nanoTime}, between two comparisons. */
final class VendorClock {
  private static final int ROUNDS = 8;

  private final VendorCupti cupti;
  private final NativeBuffer room = new NativeBuffer(Long.BYTES);
  private Point first;
  private Point latest;

  private record Point(long theirs, long ours) {}

  VendorClock(VendorCupti cupti) {
    this.cupti = cupti;
  }

  /** Compares the clocks as records begin. */
  synchronized void begin() {
    first = null;
    compare();
  }

  /** Compares the clocks: the quickest answer tells best. */
  synchronized void compare() {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      if (cupti.time(room.address()) != CuptiResult.SUCCESS) {
        return;
      }
      long took = System.nanoTime() - begin;
      if (took < best) {
        best = took;
        latest = new Point(Native.getLong(room.address()), begin + took / 2);
      }
    }
    first = first == null ? latest : first;
  }

  /** Both count nanoseconds; one of them may be adjusted meanwhile. */
  synchronized long of(long theirs) {
    if (first == null) {
      return theirs;
    }
    double span = latest.theirs - first.theirs;
    double slope = span > 0 ? (latest.ours - first.ours) / span : 1;
    return latest.ours + (long) ((theirs - latest.theirs) * slope);
  }
}
