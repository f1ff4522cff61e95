// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

import io.outboard.communicator.posix.Processors;

/**
 * Decides how long a reader looks for input before it sleeps. A wake-up costs several microseconds,
 * so looking pays where the peer answers at once. Where the peer has no core of its own, or pauses,
 * it fails, and the strategy tries it less and less. For one thread at a time.
 */
public final class IdleStrategy {
  /** Longer than a peer takes to wake, much shorter than anybody notices. */
  private static final long SHORT_NS = 20_000;

  /**
   * Where there are processors enough: as long as a program often pauses between two steps. The
   * core that would fall asleep may take a tenth of that to wake.
   */
  private static final long LONG_NS = 1_000_000;

  private static final long LEAST_NS = 1_000;
  private static final int LOOKS = 16;

  /** After so many sleeps it is tried again. */
  private static final int PROBE = 32;

  /** The condition to look at. */
  public interface Arrival {
    /** Whether something has come. */
    boolean ready();
  }

  private final Arrival arrival;
  private final Lookers lookers;
  private final long most;
  // So long it looks where too many do.
  private final long least;
  private final boolean yields;
  private long nanoseconds;
  private int sleeps;

  private IdleStrategy(Arrival arrival, Lookers lookers, long most, long least) {
    this(arrival, lookers, most, least, false);
  }

  private IdleStrategy(Arrival arrival, Lookers lookers, long most, long least, boolean yields) {
    this.arrival = arrival;
    this.lookers = lookers;
    this.most = most;
    this.least = least;
    this.yields = yields;
    nanoseconds = most;
  }

  /** For tests: one that looks for a millisecond, and {@code least} where too many do. */
  static IdleStrategy among(Lookers lookers, Arrival arrival, long least) {
    return new IdleStrategy(arrival, lookers, LONG_NS, least);
  }

  /** With a ring, a look costs next to nothing. */
  public static IdleStrategy withMemory(Arrival arrival) {
    return new IdleStrategy(
        arrival, Lookers.READERS, Processors.TO_SPARE ? LONG_NS : SHORT_NS, SHORT_NS);
  }

  /**
   * With a ring in memory of another machine's, where waking takes hundreds of microseconds: the
   * processor is somebody else's after each look.
   */
  public static IdleStrategy withFarMemory(Arrival arrival) {
    return new IdleStrategy(arrival, Lookers.READERS, LONG_NS, LONG_NS, true);
  }

  /** With a socket, each look is a system call: only where there are processors to spare. */
  static IdleStrategy withSocket(Arrival arrival) {
    return new IdleStrategy(arrival, Lookers.READERS, Processors.TO_SPARE ? LONG_NS : 0, 0);
  }

  /**
   * For the arrivals of another thread of this process: only with processors to spare. One thread
   * at a time looks for these.
   */
  public static IdleStrategy withThread(Arrival arrival) {
    return Processors.TO_SPARE
        ? new IdleStrategy(arrival, Lookers.SINGLE, LONG_NS, SHORT_NS)
        : new IdleStrategy(arrival, Lookers.SINGLE, 0, 0);
  }

  /** Returns whether something has come while it looked. */
  public boolean pays() {
    if (most == 0 || (nanoseconds == 0 && ++sleeps % PROBE != 0)) {
      return false;
    }
    nanoseconds = affordable(nanoseconds);
    long wanted = nanoseconds > 0 ? nanoseconds : probe();
    boolean joined = lookers.join();
    long limit = joined ? wanted : Math.min(wanted, least);
    boolean came = limit > 0 && look(limit);
    if (joined) {
      lookers.leave();
    }
    learn(came, limit == wanted);
    return came;
  }

  /** A look that was cut off says nothing about longer ones. */
  private void learn(boolean came, boolean whole) {
    if (came) {
      nanoseconds = most;
    } else if (whole) {
      nanoseconds = nanoseconds / 2 >= LEAST_NS ? nanoseconds / 2 : 0;
    }
  }

  /** A probe ends after a peer that sleeps has woken. */
  private long probe() {
    return yields ? most : SHORT_NS;
  }

  /** Looks that leave the processor take none from a device that computes there. */
  private long affordable(long limit) {
    return yields ? limit : Processors.mostLooking(limit);
  }

  private boolean look(long limit) {
    long begin = System.nanoTime();
    do {
      for (int i = 0; i < LOOKS; i++) {
        if (arrival.ready()) {
          return true;
        }
        pause();
      }
    } while (System.nanoTime() - begin < limit);
    return false;
  }

  // The peer may be a virtual machine that waits for this processor.
  @SuppressWarnings("ThreadPriorityCheck")
  private void pause() {
    if (yields) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
