// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

/**
 * Functions that have been launched in a context. A launch looks here first: that takes no lock and
 * allocates nothing. A look beside a change may miss what is there, and never finds what is not.
 */
final class SeenFunctions {
  private static final int SMALLEST = 64;

  // Pairs of a function and its context, 0 for none; the length is a power of two.
  private volatile long[] pairs = new long[2 * SMALLEST];
  // Guarded by this object's monitor.
  private int count;

  /** Whether a function has been launched in a context. */
  boolean has(long function, long context) {
    long[] table = pairs;
    int mask = table.length - 1;
    for (int i = start(function, mask); table[i] != 0; i = (i + 2) & mask) {
      if (table[i] == function && table[i + 1] == context) {
        return true;
      }
    }
    return false;
  }

  private static int start(long function, int mask) {
    return (int) ((function * 0x9E3779B97F4A7C15L) >>> 32) & mask & ~1;
  }

  /** One has been launched; neither is 0. */
  synchronized void add(long function, long context) {
    if (has(function, context)) {
      return;
    }
    if (4 * (count + 1) > pairs.length) {
      grow();
    }
    put(pairs, function, context);
    count++;
  }

  private void grow() {
    long[] small = pairs;
    long[] large = new long[2 * small.length];
    for (int i = 0; i < small.length; i += 2) {
      if (small[i] != 0) {
        put(large, small[i], small[i + 1]);
      }
    }
    pairs = large;
  }

  private static void put(long[] table, long function, long context) {
    int mask = table.length - 1;
    int i = start(function, mask);
    while (table[i] != 0) {
      i = (i + 2) & mask;
    }
    table[i + 1] = context;
    table[i] = function;
  }

  /** Functions or contexts end, and others may get their handles. */
  synchronized void clear() {
    pairs = new long[2 * SMALLEST];
    count = 0;
  }
}
