// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

/** The processors of this machine that this process may use. */
public final class Processors {
  /** So many are enough for a program that looks, its worker, and the driver in it. */
  private static final int PLENTY = 4;

  /** Whether nobody misses what is spent on looking instead of sleeping, or ahead of time. */
  public static final boolean TO_SPARE = Runtime.getRuntime().availableProcessors() >= PLENTY;

  private Processors() {}
}
