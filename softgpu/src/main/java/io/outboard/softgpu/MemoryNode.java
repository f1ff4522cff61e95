// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/**
 * A node that allocates or frees memory. The memory always has its place, so that nothing is left
 * to do in the graph's turn: what is allocated is kept when launches are asked for.
 */
final class MemoryNode extends Operation {
  private final GraphMemory memory;
  private final boolean frees;

  MemoryNode(GraphMemory memory, boolean frees) {
    this.memory = memory;
    this.frees = frees;
  }

  GraphMemory memory() {
    return memory;
  }

  boolean frees() {
    return frees;
  }

  @Override
  int nodeType() {
    return frees ? NodeType.MEM_FREE : NodeType.MEM_ALLOC;
  }

  @Override
  void perform(Context context) {}
}
