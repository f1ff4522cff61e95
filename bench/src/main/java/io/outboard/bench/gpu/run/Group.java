// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.util.Locale;

/** What {@code --only} selects. */
public enum Group {
  /** Launches, waits, small copies, allocations. */
  MICRO,
  /** Copies of 256 MB. */
  COPIES,
  /** The GPU part of three programs. */
  PROGRAMS,
  /** Whole programs, from the shell to their end. */
  STARTUP,
  /** PyTorch. */
  TORCH,
  /** Round trips, as {@code --report} counts them. */
  TRIPS,
  /** PyTorch over links that are slow. */
  SHAPED,
  /** Results that are to be equal, bit for bit. */
  FIDELITY,
  /** Error codes of programs that do something wrong. */
  WRONG,
  /** Which frameworks run. */
  FRAMEWORKS;

  /**
   * The one of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Group of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Whether a figure is the median of several pairs; an exact figure is taken once. */
  public boolean isTimed() {
    return switch (this) {
      case MICRO, COPIES, PROGRAMS, STARTUP, TORCH, SHAPED -> true;
      case TRIPS, FIDELITY, WRONG, FRAMEWORKS -> false;
    };
  }

  /**
   * How long a backend rests before a program: a program that is over in milliseconds tells how
   * well prepared its worker was, which is a matter of seconds (one has to start, then warms up).
   */
  int restMs() {
    return switch (this) {
      case PROGRAMS, STARTUP -> 2_000;
      default -> 0;
    };
  }

  /** Whether it is compared with the machine's own driver; a count of round trips is not. */
  boolean isCompared() {
    return this != TRIPS;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
