// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Blocks that become one method. */
public final class Region {
  private final int number;
  private final List<Block> blocks = new ArrayList<>();
  private final BitSet members = new BitSet();

  Region(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  public List<Block> blocks() {
    return blocks;
  }

  void add(Block block) {
    blocks.add(block);
    members.set(block.index());
  }

  public boolean contains(Block block) {
    return members.get(block.index());
  }
}
