// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.model.Instruction;
import java.util.BitSet;
import java.util.List;

/**
 * Finds jumps backwards, where threads must ask whether to go on, and among them those of loops
 * that may wait for another thread, where a thread must let the others run.
 */
public final class LoopCheck {
  private final BitSet watching = new BitSet();

  public LoopCheck(List<Block> blocks) {
    for (Block block : blocks) {
      if (block.body().stream().anyMatch(LoopCheck::watches)) {
        watching.set(block.index());
      }
    }
  }

  /** Whether {@code i} looks at what other threads may change. */
  private static boolean watches(Instruction i) {
    return switch (i.root()) {
      case "ld" -> i.has("volatile") || i.has("relaxed") || i.has("acquire");
      case "atom" -> i.has("cas") || i.has("exch") || i.has("acquire");
      case "nanosleep" -> true;
      default -> false;
    };
  }

  /** Whether going from {@code from} to {@code to} is a jump backwards. */
  public static boolean backward(Block from, Block to) {
    return to.index() <= from.index();
  }

  /** Whether a thread that goes from {@code from} to {@code to} may have to let others run. */
  public boolean yields(Block from, Block to) {
    if (!backward(from, to)) {
      return false;
    }
    int seen = watching.nextSetBit(to.index());
    return seen >= 0 && seen <= from.index();
  }
}
