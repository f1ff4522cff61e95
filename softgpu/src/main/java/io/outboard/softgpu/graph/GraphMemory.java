// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.memory.Allocation;
import java.util.function.Consumer;

/**
 * Memory that a node of a graph allocates. It has its place as long as the graph, or an executable
 * made of it, or the program has it: addresses are the same at each launch (CUDA C++ Programming
 * Guide, "Graph Memory Nodes").
 */
public final class GraphMemory {
  private final Consumer<GraphMemory> ended;
  private final Allocation place;
  private boolean inGraph = true;
  private boolean inExecutable;
  private boolean allocated;
  private boolean freedByNode;

  /** {@code ended} frees the place. */
  GraphMemory(Allocation place, Consumer<GraphMemory> ended) {
    this.place = place;
    this.ended = ended;
  }

  public Allocation place() {
    return place;
  }

  /** Whether it is allocated, by a launch that has been asked for. */
  synchronized boolean isAllocated() {
    return allocated;
  }

  /** A launch allocates it. */
  synchronized void allocate() {
    allocated = true;
  }

  /** It is freed; false if it was not allocated. */
  public synchronized boolean free() {
    boolean was = allocated;
    allocated = false;
    endIfUnused();
    return was;
  }

  /** A node is to free it; false if another one is already. */
  public synchronized boolean takeFreeNode() {
    boolean first = !freedByNode;
    freedByNode = true;
    return first;
  }

  /** An executable has it; false if another one has. */
  synchronized boolean enterExecutable() {
    boolean first = !inExecutable;
    inExecutable = true;
    return first;
  }

  synchronized void leaveExecutable() {
    inExecutable = false;
    endIfUnused();
  }

  public synchronized void leaveGraph() {
    inGraph = false;
    endIfUnused();
  }

  private void endIfUnused() {
    if (!inGraph && !inExecutable && !allocated) {
      ended.accept(this);
    }
  }
}
