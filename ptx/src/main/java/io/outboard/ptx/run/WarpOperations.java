// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.math.IntMath;

/** Carries out shuffles, votes and the like for lanes of a warp that wait for each other. */
final class WarpOperations {
  private final BlockContext context;
  private final Cut[] cuts;
  private final int ints;
  private int first;

  WarpOperations(BlockContext context, Cut[] cuts, int ints) {
    this.context = context;
    this.cuts = cuts;
    this.ints = ints;
  }

  /** Lets those threads from low to high go on whose partners have all come. */
  boolean resolve(int low, int high) {
    first = low;
    int done = 0;
    boolean any = false;
    for (int t = low; t < high; t++) {
      Cut cut = (done >>> (t - low) & 1) != 0 ? null : cutOf(t);
      if (cut == null) {
        continue;
      }
      int lanes = partners(cut, t, high);
      done |= lanes;
      if (complete(cut, t, lanes, high)) {
        execute(cut.operation(), lanes);
        release(lanes);
        any = true;
      }
    }
    return any;
  }

  private Cut cutOf(int thread) {
    int state = context.states[thread];
    if (state >= BlockContext.EXITED) {
      return null;
    }
    Cut cut = cuts[-2 - state];
    return cut.operation().ofBlock() ? null : cut;
  }

  private int get(int lane, int slot) {
    return context.ints[(first + lane) * ints + slot];
  }

  private void put(int lane, int slot, int value) {
    context.ints[(first + lane) * ints + slot] = value;
  }

  /** The lanes that wait at the same operation with the same mask. */
  private int partners(Cut cut, int thread, int high) {
    int mask = get(thread - first, Cut.MASK);
    int lanes = 0;
    for (int t = thread; t < high; t++) {
      boolean here = context.states[t] == context.states[thread];
      boolean same =
          cut.masked() ? (here || matches(cut, t)) && get(t - first, Cut.MASK) == mask : here;
      lanes |= same ? 1 << (t - first) : 0;
    }
    return lanes;
  }

  private boolean matches(Cut cut, int thread) {
    Cut other = cutOf(thread);
    return other != null && other.masked() && other.operation() == cut.operation();
  }

  private boolean complete(Cut cut, int thread, int lanes, int high) {
    if (!cut.masked()) {
      return true;
    }
    int missing = get(thread - first, Cut.MASK) & ~lanes;
    for (int t = first; t < high && missing != 0; t++) {
      if (context.states[t] == BlockContext.EXITED) {
        missing &= ~(1 << (t - first));
      }
    }
    int present = high - first == 32 ? -1 : (1 << (high - first)) - 1;
    return (missing & present) == 0;
  }

  private void release(int lanes) {
    for (int left = lanes; left != 0; left &= left - 1) {
      int thread = first + Integer.numberOfTrailingZeros(left);
      context.states[thread] = cutOf(thread).entry();
    }
  }

  private void execute(Cut.Operation operation, int lanes) {
    switch (operation) {
      case WARP_SYNC -> {}
      case SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SHUFFLE_INDEX -> shuffle(operation, lanes);
      case VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, BALLOT -> vote(operation, lanes);
      case MATCH_ANY -> matchAny(lanes);
      case MATCH_ALL -> matchAll(lanes);
      case ACTIVE_MASK -> give(lanes, lanes);
      case ELECT -> elect(lanes);
      case MATRIX -> multiply(lanes, false, false);
      case MATRIX_FROM_HALVES -> multiply(lanes, true, false);
      case MATRIX_TO_HALVES -> multiply(lanes, false, true);
      case MATRIX_OF_HALVES -> multiply(lanes, true, true);
      default -> reduce(operation, lanes);
    }
  }

  /** Without the whole warp there is no matrix. */
  private void multiply(int lanes, boolean halvesIn, boolean halvesOut) {
    if (lanes != -1) {
      throw BlockContext.trap();
    }
    new MatrixProduct(context.ints, first * ints, ints).run(halvesIn, halvesOut);
  }

  private void give(int lanes, int result) {
    for (int left = lanes; left != 0; left &= left - 1) {
      put(Integer.numberOfTrailingZeros(left), Cut.RESULT, result);
    }
  }

  /** A lane that does not take part gives zero: PTX leaves that open, an H200 does it. */
  private void shuffle(Cut.Operation operation, int lanes) {
    int[] mail = context.ints;
    for (int left = lanes; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      int own = (first + lane) * ints;
      int by = mail[own + Cut.B] & 31;
      int clamp = mail[own + Cut.C] & 31;
      int segment = mail[own + Cut.C] >>> 8 & 31;
      int least = lane & segment;
      int greatest = least | (clamp & ~segment);
      int source = source(operation, lane, by, least, segment);
      boolean inside =
          operation == Cut.Operation.SHUFFLE_UP ? source >= greatest : source <= greatest;
      int from = inside ? source : lane;
      boolean there = (lanes >>> from & 1) != 0;
      mail[own + Cut.RESULT] = there ? mail[(first + from) * ints + Cut.A] : 0;
      mail[own + Cut.PREDICATE] = inside ? 1 : 0;
    }
  }

  private static int source(Cut.Operation operation, int lane, int by, int least, int segment) {
    return switch (operation) {
      case SHUFFLE_UP -> lane - by;
      case SHUFFLE_DOWN -> lane + by;
      case SHUFFLE_XOR -> lane ^ by;
      default -> least | (by & ~segment);
    };
  }

  private void vote(Cut.Operation operation, int lanes) {
    int yes = 0;
    for (int left = lanes; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      yes |= get(lane, Cut.A) != 0 ? 1 << lane : 0;
    }
    boolean all = yes == lanes;
    boolean any = yes != 0;
    give(
        lanes,
        switch (operation) {
          case VOTE_ALL -> all ? 1 : 0;
          case VOTE_ANY -> any ? 1 : 0;
          case VOTE_UNIFORM -> all || !any ? 1 : 0;
          default -> yes;
        });
  }

  private boolean equal(int lane, int other) {
    return get(lane, Cut.A) == get(other, Cut.A) && get(lane, Cut.A_HIGH) == get(other, Cut.A_HIGH);
  }

  private int equals(int lane, int lanes) {
    int same = 0;
    for (int left = lanes; left != 0; left &= left - 1) {
      int other = Integer.numberOfTrailingZeros(left);
      same |= equal(lane, other) ? 1 << other : 0;
    }
    return same;
  }

  private void matchAny(int lanes) {
    for (int left = lanes; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      put(lane, Cut.RESULT, equals(lane, lanes));
    }
  }

  private void matchAll(int lanes) {
    boolean all = equals(Integer.numberOfTrailingZeros(lanes), lanes) == lanes;
    give(lanes, all ? lanes : 0);
    for (int left = lanes; left != 0; left &= left - 1) {
      put(Integer.numberOfTrailingZeros(left), Cut.PREDICATE, all ? 1 : 0);
    }
  }

  private void elect(int lanes) {
    int leader = Integer.numberOfTrailingZeros(lanes);
    give(lanes, leader);
    for (int left = lanes; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      put(lane, Cut.PREDICATE, lane == leader ? 1 : 0);
    }
  }

  private void reduce(Cut.Operation operation, int lanes) {
    int lane = Integer.numberOfTrailingZeros(lanes);
    int sum = get(lane, Cut.A);
    for (int left = lanes & lanes - 1; left != 0; left &= left - 1) {
      sum = combine(operation, sum, get(Integer.numberOfTrailingZeros(left), Cut.A));
    }
    give(lanes, sum);
  }

  private static int combine(Cut.Operation operation, int a, int b) {
    return switch (operation) {
      case ADD -> a + b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case MIN_UNSIGNED -> IntMath.minUnsigned(a, b);
      case MAX_UNSIGNED -> IntMath.maxUnsigned(a, b);
      case AND -> a & b;
      case OR -> a | b;
      default -> a ^ b;
    };
  }
}
