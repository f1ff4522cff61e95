// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

/**
 * Looks for a while whether something has come before its reader sleeps, as long as that is worth
 * while: waking costs several microseconds. Where the peer has no core of its own, or pauses,
 * looking fails, and is tried less and less. For one thread at a time.
 */
final class Patience {
  /** Longer than a peer takes to wake, much shorter than anybody notices. */
  private static final long SHORT_NS = 20_000;

  /**
   * Where there are processors enough: as long as a program often pauses between two steps. The
   * core that would fall asleep may take a tenth of that to wake.
   */
  private static final long LONG_NS = 1_000_000;

  /**
   * Where there are not, and the peer has got what it waited for: longer than a program takes to
   * wake and to call again. Until then the processors have little else to do.
   */
  private static final long SOON_NS = 200_000;

  /** It often takes half of it. */
  private static final long LEAST_SOON_NS = 100_000;

  private static final long LEAST_NS = 1_000;
  private static final int LOOKS = 16;

  /** After so many sleeps it is tried again. */
  private static final int PROBE = 32;

  /**
   * Sooner where a sleep costs more: it delays the next step of a device that has nothing to do.
   */
  private static final int SOON_PROBE = 8;

  /** What is looked at. */
  interface Arrival {
    /** Whether something has come. */
    boolean ready();
  }

  private final Arrival arrival;
  private final long most;
  private final long least;
  private final long probe;
  private final int interval;
  private long nanoseconds;
  private int sleeps;

  private Patience(Arrival arrival, long most, long least, long probe, int interval) {
    this.arrival = arrival;
    this.most = most;
    this.least = least;
    this.probe = probe;
    this.interval = interval;
    nanoseconds = most;
  }

  /** With a ring, a look costs next to nothing. */
  static Patience withMemory(Arrival arrival) {
    return new Patience(
        arrival, Processors.TO_SPARE ? LONG_NS : SHORT_NS, LEAST_NS, SHORT_NS, PROBE);
  }

  /** With a ring, and a peer that is expected to write soon. */
  static Patience expectant(Arrival arrival) {
    return new Patience(
        arrival, Processors.TO_SPARE ? LONG_NS : SOON_NS, LEAST_SOON_NS, SOON_NS, SOON_PROBE);
  }

  /** With a socket, each look is a system call: only where there are processors to spare. */
  static Patience withSocket(Arrival arrival) {
    return new Patience(arrival, Processors.TO_SPARE ? LONG_NS : 0, LEAST_NS, SHORT_NS, PROBE);
  }

  /** Returns whether something has come while it looked. */
  boolean pays() {
    if (most == 0 || (nanoseconds == 0 && ++sleeps % interval != 0)) {
      return false;
    }
    nanoseconds = Processors.mostLooking(nanoseconds);
    if (look(nanoseconds > 0 ? nanoseconds : probe)) {
      nanoseconds = most;
      return true;
    }
    nanoseconds = nanoseconds / 2 >= least ? nanoseconds / 2 : 0;
    return false;
  }

  private boolean look(long limit) {
    long begin = System.nanoTime();
    do {
      for (int i = 0; i < LOOKS; i++) {
        if (arrival.ready()) {
          return true;
        }
        Thread.onSpinWait();
      }
    } while (System.nanoTime() - begin < limit);
    return false;
  }
}
