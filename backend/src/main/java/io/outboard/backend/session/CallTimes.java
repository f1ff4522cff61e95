// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.SharedPage;

/**
 * How long calls take that do not wait for a device, from their frame to their answer: one in so
 * many is measured, as to read the clock twice costs as much as a small call.
 */
final class CallTimes {
  /** What {@link #begin} says of a call that is not measured. */
  static final long UNMEASURED = 0;

  private static final int ONE_IN = 64;

  private final SharedPage page;
  private int count;

  CallTimes(SharedPage page) {
    this.page = page;
  }

  /** By the leader, before a call. */
  long begin() {
    return (++count & (ONE_IN - 1)) == 0 ? System.nanoTime() : UNMEASURED;
  }

  /** By the leader, behind it. */
  void end(long begun) {
    if (begun != UNMEASURED) {
      page.timed(System.nanoTime() - begun);
    }
  }
}
