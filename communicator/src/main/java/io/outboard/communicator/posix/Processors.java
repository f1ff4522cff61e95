// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import java.util.function.LongSupplier;

/** The processors of this machine that this process may use. */
public final class Processors {
  /** So many are enough for a program that looks, its worker, and the driver in it. */
  private static final int PLENTY = 4;

  private static final int MOST_PROGRAMS = 1 << 20;

  /** How many there are. */
  public static final int COUNT = Runtime.getRuntime().availableProcessors();

  /** Whether nobody misses what is spent on looking instead of sleeping, or ahead of time. */
  public static final boolean TO_SPARE = COUNT >= PLENTY;

  /** Several times as long as an empty kernel takes, a small part of what others take. */
  private static final long MOST_BESIDE_DEVICE_NS = 200_000;

  // Compared without a branch: code compiled in a warm-up stands when a device is used.
  private static volatile long most = Long.MAX_VALUE;

  private static volatile LongSupplier programs = () -> 1;

  private Processors() {}

  /** Takes what says how many programs are busy at the same time on these processors. */
  public static void sharedBy(LongSupplier number) {
    programs = number;
  }

  /** How many programs are busy at the same time on these processors; at least 1. */
  public static int programs() {
    return Math.clamp(programs.getAsLong(), 1, MOST_PROGRAMS);
  }

  /** From now on a device computes on them, and misses what is spent on looking. */
  public static void areDevice() {
    most = MOST_BESIDE_DEVICE_NS;
  }

  /** How long to look rather than sleep, of what is worth while where nobody misses it. */
  public static long mostLooking(long nanoseconds) {
    return Math.min(nanoseconds, most);
  }
}
