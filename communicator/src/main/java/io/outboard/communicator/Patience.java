// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

/**
 * Looks at a ring for a while before its reader sleeps, as long as that is worth while: waking
 * costs several microseconds. Where the peer has no core of its own, or pauses, looking fails, and
 * is tried less and less. For one thread at a time.
 */
final class Patience {
  /** Longer than a peer takes to wake, much shorter than anybody notices. */
  private static final long MOST_NS = 20_000;

  private static final long LEAST_NS = 1_000;
  private static final int LOOKS = 16;

  /** After so many sleeps it is tried again. */
  private static final int PROBE = 32;

  private long nanoseconds = MOST_NS;
  private int sleeps;

  /** Returns whether something has come while it looked. */
  boolean pays(RingReader ring) {
    if (nanoseconds == 0 && ++sleeps % PROBE != 0) {
      return false;
    }
    if (look(ring, nanoseconds > 0 ? nanoseconds : MOST_NS)) {
      nanoseconds = MOST_NS;
      return true;
    }
    nanoseconds = nanoseconds / 2 >= LEAST_NS ? nanoseconds / 2 : 0;
    return false;
  }

  private static boolean look(RingReader ring, long limit) {
    long begin = System.nanoTime();
    do {
      for (int i = 0; i < LOOKS; i++) {
        if (ring.ready()) {
          return true;
        }
        Thread.onSpinWait();
      }
    } while (System.nanoTime() - begin < limit);
    return false;
  }
}
