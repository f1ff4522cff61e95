// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.emit.Unsupported;
import io.outboard.ptx.model.Function;
import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Operand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;

/** Cuts a flat function into basic blocks. */
public final class ControlFlow {
  /** Where a block grows beyond this, in bytes, it is cut, so that methods can be cut there. */
  private static final int LONGEST = 1500;

  private final Function function;
  private final ToIntFunction<Instruction> sizes;
  private final List<Block> blocks = new ArrayList<>();
  private final Block[] at;

  private ControlFlow(Function function, ToIntFunction<Instruction> sizes) {
    this.function = function;
    this.sizes = sizes;
    this.at = new Block[function.body().size() + 1];
  }

  /** The blocks of {@code function} in the order of the text. */
  public static List<Block> of(Function function, ToIntFunction<Instruction> sizes) {
    ControlFlow flow = new ControlFlow(function, sizes);
    flow.cut();
    flow.link();
    flow.dropUnreachable();
    return flow.blocks;
  }

  private void dropUnreachable() {
    BitSet reached = new BitSet();
    Deque<Block> next = new ArrayDeque<>();
    next.push(blocks.getFirst());
    while (!next.isEmpty()) {
      Block block = next.pop();
      if (!reached.get(block.index())) {
        reached.set(block.index());
        block.successors().forEach(next::push);
      }
    }
    blocks.removeIf(block -> !reached.get(block.index()));
    for (int i = 0; i < blocks.size(); i++) {
      blocks.get(i).setIndex(i);
    }
  }

  /** Whether control does not simply go on after {@code i}. */
  public static boolean leaves(Instruction i) {
    return switch (i.root()) {
      case "bra", "brx", "ret", "exit", "trap" -> true;
      default -> CutPlan.waits(i);
    };
  }

  private void cut() {
    List<Instruction> body = function.body();
    boolean[] leaders = new boolean[body.size() + 1];
    function.labels().values().forEach(i -> leaders[i] = true);
    Block block = null;
    for (int i = 0; i < body.size(); i++) {
      Instruction instruction = body.get(i);
      if (block == null || leaders[i] || block.bytes() > LONGEST) {
        block = new Block(blocks.size());
        blocks.add(block);
        at[i] = block;
      }
      block = append(block, instruction);
    }
  }

  /** Adds an instruction; returns the block that the next one belongs to, if that is known. */
  private Block append(Block block, Instruction instruction) {
    if (leaves(instruction)) {
      block.setLast(instruction);
      block.addBytes(40);
      return null;
    }
    block.body().add(instruction);
    block.addBytes(sizes.applyAsInt(instruction));
    return block;
  }

  private void link() {
    for (Block block : blocks) {
      Instruction last = block.last();
      if (last == null || last.guard() != null || CutPlan.waits(last)) {
        block.setFollowing(next(block));
      }
      if (last != null) {
        targets(block, last);
      }
    }
  }

  private Block next(Block block) {
    return block.index() + 1 < blocks.size() ? blocks.get(block.index() + 1) : null;
  }

  private void targets(Block block, Instruction last) {
    if (last.root().equals("bra")) {
      block.targets().add(labelled(name(last.operand(0))));
    } else if (last.root().equals("brx")) {
      List<String> table = function.branchTables().get(name(last.operand(1)));
      if (table == null) {
        throw new Unsupported("branch to unknown table " + name(last.operand(1)));
      }
      table.forEach(label -> block.targets().add(labelled(label)));
    }
  }

  private static String name(Operand operand) {
    if (operand instanceof Operand.Name name) {
      return name.name();
    }
    throw new Unsupported("branch to " + operand);
  }

  private Block labelled(String label) {
    Integer index = function.labels().get(label);
    if (index == null) {
      throw new Unsupported("branch to unknown label " + label);
    }
    return at[index];
  }
}
