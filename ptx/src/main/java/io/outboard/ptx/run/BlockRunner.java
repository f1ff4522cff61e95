// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxTrap;
import java.util.Arrays;
import java.util.OptionalLong;

/** Runs the threads of one block, region by region, until all have finished. */
final class BlockRunner {
  private final CompiledKernel kernel;
  private final BlockContext context;
  private final Code code;
  private final int[] methods;
  private final int[] states;
  private final int unit;
  private final WarpOperations warps;
  private final Barriers barriers;

  BlockRunner(CompiledKernel kernel, BlockContext context) {
    this.kernel = kernel;
    this.context = context;
    this.code = kernel.code();
    this.states = context.states;
    this.methods = new int[kernel.methods().size()];
    for (int i = 0; i < methods.length; i++) {
      methods[i] = kernel.methods().get(i);
    }
    Cut[] cuts = kernel.cuts().toArray(new Cut[0]);
    this.unit = kernel.perWarp() ? 32 : context.threads;
    this.warps = new WarpOperations(context, cuts, kernel.ints());
    this.barriers = new Barriers(context, cuts, kernel.ints());
  }

  /** Runs the block that the context has entered. */
  void run() {
    if (kernel.simple()) {
      code.run(0, context, 0, context.threads);
      return;
    }
    begin();
    while (round()) {
      context.checkCancelled();
    }
  }

  /** Prepares the threads of the block that the context has entered. */
  void begin() {
    Arrays.fill(states, 0);
    barriers.reset();
  }

  /** Lets the threads run as far as they can; returns false once all have finished. */
  boolean step() {
    context.checkCancelled();
    if (kernel.simple()) {
      code.run(0, context, 0, context.threads);
      return false;
    }
    return round();
  }

  BlockContext context() {
    return context;
  }

  /** Lets every thread run as far as it can; returns false once all have finished. */
  private boolean round() {
    context.yielded = false;
    boolean moved = false;
    for (int low = 0; low < context.threads; low += unit) {
      moved |= runUnit(low, Math.min(low + unit, context.threads));
    }
    if (barriers.release() || (moved && context.yielded)) {
      return true;
    }
    if (barriers.waiting() || anyLeft()) {
      if (!moved) {
        throw deadlock();
      }
      return true;
    }
    return false;
  }

  private boolean runUnit(int low, int high) {
    boolean moved = false;
    do {
      context.checkCancelled();
      for (int t = low; t < high; t++) {
        moved |= runThread(t, high);
      }
    } while (kernel.perWarp() && warps.resolve(low, high));
    return moved;
  }

  /** Runs thread {@code first}, and those above it that are at the same regions. */
  private boolean runThread(int first, int high) {
    int state = states[first];
    if (state < 0) {
      return false;
    }
    boolean yieldedBefore = context.yielded;
    context.yielded = false;
    do {
      code.run(methods[state], context, first, high);
      state = states[first];
    } while (state >= 0 && !context.yielded);
    context.yielded |= yieldedBefore;
    return true;
  }

  private boolean anyLeft() {
    for (int state : states) {
      if (state != BlockContext.EXITED) {
        return true;
      }
    }
    return false;
  }

  private Fault deadlock() {
    for (int t = 0; t < states.length; t++) {
      if (states[t] != BlockContext.EXITED) {
        context.thread = t;
        break;
      }
    }
    return new Fault(
        PtxTrap.Kind.TRAP,
        OptionalLong.empty(),
        "the threads of the block wait for each other for ever");
  }
}
