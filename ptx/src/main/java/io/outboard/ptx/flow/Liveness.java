// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Register;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which registers hold values that are still wanted, at the borders of blocks. */
public final class Liveness {
  private final Effects effects;
  private final List<Block> blocks;
  private final Map<Register, Integer> numbers = new HashMap<>();
  private final List<Register> registers = new ArrayList<>();
  private final BitSet[] generated;
  private final BitSet[] killed;

  public Liveness(List<Block> blocks, Effects effects) {
    this.blocks = blocks;
    this.effects = effects;
    this.generated = new BitSet[blocks.size()];
    this.killed = new BitSet[blocks.size()];
    blocks.forEach(this::summarise);
    solve();
  }

  /** The register with number {@code number}. */
  public Register register(int number) {
    return registers.get(number);
  }

  public int number(Register register) {
    Integer known = numbers.get(register);
    if (known != null) {
      return known;
    }
    numbers.put(register, registers.size());
    registers.add(register);
    return registers.size() - 1;
  }

  /** The registers that {@code block} writes. */
  public BitSet written(Block block) {
    BitSet written = new BitSet();
    block.body().forEach(i -> effects.defined(i, r -> written.set(number(r))));
    if (block.last() != null) {
      effects.defined(block.last(), r -> written.set(number(r)));
    }
    return written;
  }

  private void summarise(Block block) {
    BitSet uses = new BitSet();
    BitSet kills = new BitSet();
    generated[block.index()] = uses;
    killed[block.index()] = kills;
    block.body().forEach(i -> summarise(i, uses, kills));
    if (block.last() != null) {
      summarise(block.last(), uses, kills);
    }
  }

  private void summarise(Instruction i, BitSet uses, BitSet kills) {
    effects.used(
        i,
        r -> {
          if (!kills.get(number(r))) {
            uses.set(number(r));
          }
        });
    if (i.guard() == null) {
      effects.defined(i, r -> kills.set(number(r)));
    } else {
      effects.defined(i, r -> mayKeep(number(r), uses, kills));
    }
  }

  /** A register written under a predicate may keep what it held before the block. */
  private static void mayKeep(int register, BitSet uses, BitSet kills) {
    if (!kills.get(register)) {
      uses.set(register);
    }
  }

  private void solve() {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = blocks.size() - 1; i >= 0; i--) {
        changed |= update(blocks.get(i));
      }
    }
  }

  private boolean update(Block block) {
    for (Block successor : block.successors()) {
      block.liveOut().or(successor.liveIn());
    }
    BitSet in = (BitSet) block.liveOut().clone();
    in.andNot(killed[block.index()]);
    in.or(generated[block.index()]);
    if (in.equals(block.liveIn())) {
      return false;
    }
    block.setLiveIn(in);
    return true;
  }

  /** The most registers, in words of 32 bits, that are wanted at any border of blocks. */
  public int pressure() {
    int most = 0;
    for (Block block : blocks) {
      most = Math.max(most, Math.max(words(block.liveIn()), words(block.liveOut())));
    }
    return most;
  }

  private int words(BitSet live) {
    return live.stream().map(r -> register(r).type().bits() == 64 ? 2 : 1).sum();
  }
}
