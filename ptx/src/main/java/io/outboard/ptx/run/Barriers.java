// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import java.util.Arrays;

/** The sixteen barriers of a block (PTX ISA, "bar, barrier"). */
final class Barriers {
  private static final int COUNT = 16;

  private final BlockContext context;
  private final Cut[] cuts;
  private final int ints;
  private final int[] waiting = new int[COUNT];
  private final int[] expected = new int[COUNT];
  private final int[] arrived = new int[COUNT];
  private final int[] votes = new int[COUNT];
  private boolean anyWaiting;

  Barriers(BlockContext context, Cut[] cuts, int ints) {
    this.context = context;
    this.cuts = cuts;
    this.ints = ints;
  }

  void reset() {
    Arrays.fill(arrived, 0);
  }

  /** Whether threads wait at a barrier. */
  boolean waiting() {
    return anyWaiting;
  }

  private Cut cutOf(int thread) {
    int state = context.states[thread];
    if (state >= BlockContext.EXITED) {
      return null;
    }
    Cut cut = cuts[-2 - state];
    return cut.operation().ofBlock() ? cut : null;
  }

  private int operand(int thread, Cut cut, int slot) {
    return cut.operation() == Cut.Operation.BARRIER_OF_ALL ? 0 : context.ints[thread * ints + slot];
  }

  private int barrier(int thread, Cut cut) {
    return operand(thread, cut, Cut.A) & COUNT - 1;
  }

  /** Lets the threads go whose barrier is complete; returns whether any went. */
  boolean release() {
    return releaseAll() || releaseSome();
  }

  /** Where every thread that has not finished waits at the same barrier of all threads. */
  private boolean releaseAll() {
    int[] states = context.states;
    int at = BlockContext.EXITED;
    for (int state : states) {
      if (state != at && state != BlockContext.EXITED) {
        if (at != BlockContext.EXITED) {
          return false;
        }
        at = state;
      }
    }
    if (at >= BlockContext.EXITED || arrived[0] != 0) {
      return false;
    }
    Cut cut = cuts[-2 - at];
    if (cut.operation() != Cut.Operation.BARRIER_OF_ALL) {
      return false;
    }
    for (int t = 0; t < states.length; t++) {
      states[t] = states[t] == at ? cut.entry() : states[t];
    }
    anyWaiting = false;
    return true;
  }

  private boolean releaseSome() {
    Arrays.fill(waiting, 0);
    Arrays.fill(expected, 0);
    Arrays.fill(votes, 0);
    anyWaiting = false;
    int alive = 0;
    boolean any = false;
    for (int t = 0; t < context.threads; t++) {
      alive += context.states[t] == BlockContext.EXITED ? 0 : 1;
      Cut cut = cutOf(t);
      if (cut != null) {
        any |= count(t, cut);
      }
    }
    return go(alive) || any;
  }

  /** Counts a thread at its barrier; one that only arrives goes on at once. */
  private boolean count(int thread, Cut cut) {
    int barrier = barrier(thread, cut);
    expected[barrier] = operand(thread, cut, Cut.B);
    if (cut.operation() == Cut.Operation.BARRIER_ARRIVE) {
      arrived[barrier]++;
      context.states[thread] = cut.entry();
      return true;
    }
    waiting[barrier]++;
    votes[barrier] += operand(thread, cut, Cut.C);
    anyWaiting = true;
    return false;
  }

  private boolean complete(int barrier, int alive) {
    int all = expected[barrier] == 0 ? alive : expected[barrier];
    return waiting[barrier] > 0 && waiting[barrier] + arrived[barrier] >= all;
  }

  private boolean go(int alive) {
    boolean any = false;
    for (int t = 0; anyWaiting && t < context.threads; t++) {
      Cut cut = cutOf(t);
      if (cut != null && complete(barrier(t, cut), alive)) {
        pass(t, cut);
        any = true;
      }
    }
    for (int barrier = 0; any && barrier < COUNT; barrier++) {
      arrived[barrier] = complete(barrier, alive) ? 0 : arrived[barrier];
    }
    return any;
  }

  private void pass(int thread, Cut cut) {
    int barrier = barrier(thread, cut);
    int all = waiting[barrier];
    context.ints[thread * ints + Cut.RESULT] =
        switch (cut.operation()) {
          case BARRIER_COUNT -> votes[barrier];
          case BARRIER_AND -> votes[barrier] == all ? 1 : 0;
          default -> votes[barrier] > 0 ? 1 : 0;
        };
    context.states[thread] = cut.entry();
  }
}
