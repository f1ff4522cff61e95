// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.model.Instruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A basic block: instructions without branches in or out, and then perhaps one that leaves. */
public final class Block {
  private int index;
  private final List<Instruction> body = new ArrayList<>();
  private final List<Block> targets = new ArrayList<>();
  private Instruction last;
  private Block following;
  private BitSet liveIn = new BitSet();
  private final BitSet liveOut = new BitSet();
  private int bytes;

  Block(int index) {
    this.index = index;
  }

  /** The position in the text's order. */
  int index() {
    return index;
  }

  void setIndex(int index) {
    this.index = index;
  }

  public List<Instruction> body() {
    return body;
  }

  /** The branch, return, trap or waiting instruction at the end, or null. */
  public Instruction last() {
    return last;
  }

  void setLast(Instruction last) {
    this.last = last;
  }

  /** Where {@link #last} may branch to. */
  public List<Block> targets() {
    return targets;
  }

  /** Where control goes if it does not branch, or null. */
  public Block following() {
    return following;
  }

  void setFollowing(Block following) {
    this.following = following;
  }

  /** Whether threads wait at the end of this block. */
  public boolean waits() {
    return last != null && CutPlan.waits(last);
  }

  /** Every block that may come next. */
  public List<Block> successors() {
    if (following == null) {
      return targets;
    }
    List<Block> all = new ArrayList<>(targets);
    all.add(following);
    return all;
  }

  public BitSet liveIn() {
    return liveIn;
  }

  void setLiveIn(BitSet registers) {
    liveIn = registers;
  }

  BitSet liveOut() {
    return liveOut;
  }

  /** The size of the bytecode, from above. */
  int bytes() {
    return bytes;
  }

  void addBytes(int more) {
    bytes += more;
  }
}
