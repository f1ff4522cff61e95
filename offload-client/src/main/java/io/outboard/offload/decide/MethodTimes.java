// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

/**
 * The times of calls of a method, and the time that was spent to learn them. For one thread at a
 * time.
 */
final class MethodTimes {
  /** The part of all time that may be lost by calls on the side that seems slower. */
  private static final double EXPLORATION = 0.02;

  /** At most every so many calls one runs there. */
  private static final int SELDOM = 50;

  private final Side local = new Side();
  private final Side remote = new Side();
  private final DeviceProfile profile;
  private double spent;
  private double lost;
  private long calls;
  private long explored;

  /** Compares by what this device is said to take; by time alone where it takes one watt. */
  MethodTimes(DeviceProfile profile) {
    this.profile = profile;
  }

  /**
   * Learns of a call.
   *
   * @param slowness how much slower calls run on the backend for others that run too
   */
  void add(int size, boolean ranRemote, double taken, double slowness) {
    spent += taken * profile.watts(ranRemote);
    side(ranRemote).add(size, ranRemote ? taken / slowness : taken);
  }

  /** The expected cost of a call on a side: nanoseconds, times watts. */
  double cost(int size, boolean isRemote, double slowness) {
    double alone = side(isRemote).mean(size) * profile.watts(isRemote);
    return isRemote ? alone * slowness : alone;
  }

  /** Whether a call has run on a side. */
  boolean knows(boolean isRemote) {
    return side(isRemote).isKnown();
  }

  private Side side(boolean isRemote) {
    return isRemote ? remote : local;
  }

  /**
   * Whether the next call runs on the backend.
   *
   * @param deadline nanoseconds that it may take; 0 for no deadline
   * @param slowness as above
   */
  boolean isRemote(int size, double deadline, double slowness) {
    calls++;
    if (!remote.isKnown() || !local.isKnown()) {
      // The first ones are there, and then one is here.
      return !remote.isKnown() || calls < 3;
    }
    boolean better = isBetterThere(size, deadline, slowness);
    return explores(size, better, slowness) ? !better : better;
  }

  private boolean isBetterThere(int size, double deadline, double slowness) {
    boolean thereInTime = deadline == 0 || remote.late(size) * slowness <= deadline;
    boolean hereInTime = deadline == 0 || local.late(size) <= deadline;
    return thereInTime == hereInTime
        ? cost(size, true, slowness) <= cost(size, false, slowness)
        : thereInTime;
  }

  /** Links and machines change: the other side is looked at now and then, where that is cheap. */
  private boolean explores(int size, boolean better, double slowness) {
    boolean due = calls - explored >= SELDOM || !side(!better).isKnown(size);
    double loss = cost(size, !better, slowness) - cost(size, better, slowness);
    if (!due || lost + loss > EXPLORATION * spent) {
      return false;
    }
    lost += Math.max(0, loss);
    explored = calls;
    return true;
  }
}
