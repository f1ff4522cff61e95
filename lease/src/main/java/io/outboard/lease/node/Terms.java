// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The terms of brokers. The upper part of one counts, and the rest is by chance: a store that was
 * restored from a backup counts on from there, and would give a broker the number of one that nodes
 * have obeyed. By chance the two are the same once in a million times.
 */
public final class Terms {
  private static final int CHANCE_BITS = 20;
  private static final long CHANCES = 1L << CHANCE_BITS;

  private Terms() {}

  /** One that is higher than another one, and than all that count as much as it. */
  public static long above(long term) {
    return ((count(term) + 1) << CHANCE_BITS) | ThreadLocalRandom.current().nextLong(CHANCES);
  }

  /** Whether two brokers have begun them from the same state of a store. */
  public static boolean fork(long one, long other) {
    return one != other && count(one) > 0 && count(one) == count(other);
  }

  /** Those of earlier versions, which counted by one, have none. */
  private static long count(long term) {
    return term >> CHANCE_BITS;
  }
}
