// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;

/**
 * A node that allocates or frees memory. The memory always has its place, so that nothing is left
 * to do in the graph's turn: allocations are kept when launches are asked for.
 */
public final class MemoryNode extends Operation {
  private final GraphMemory memory;
  private final boolean frees;

  public MemoryNode(GraphMemory memory, boolean frees) {
    this.memory = memory;
    this.frees = frees;
  }

  public GraphMemory memory() {
    return memory;
  }

  boolean frees() {
    return frees;
  }

  @Override
  public int nodeType() {
    return frees ? NodeType.MEM_FREE : NodeType.MEM_ALLOC;
  }

  @Override
  public void perform(Context context) {}
}
