// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The memory that nodes of graphs allocate, by its address. */
public final class GraphMemories {
  /** {@code CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH}. */
  private static final long AUTO_FREE_ON_LAUNCH = 1;

  // CUgraphMem_attribute
  private static final int USED = 0;
  private static final int USED_HIGH = 1;
  private static final int RESERVED = 2;
  private static final int RESERVED_HIGH = 3;

  private final Map<Long, GraphMemory> byAddress = new ConcurrentHashMap<>();
  private final long[] highest = new long[RESERVED_HIGH + 1];

  /** Takes a place for memory; null when there is no room. */
  public GraphMemory create(DeviceMemory memory, long bytes) {
    Allocation place = memory.allocate(bytes, null, Allocation.Kind.GRAPH);
    if (place == null) {
      return null;
    }
    GraphMemory made = new GraphMemory(place, ended -> forget(memory, ended));
    byAddress.put(place.address(), made);
    note();
    return made;
  }

  /** Whether there is such a figure. */
  public static boolean knows(int attribute) {
    return attribute >= USED && attribute <= RESERVED_HIGH;
  }

  /** Whether it can be set back. */
  public static boolean resets(int attribute) {
    return attribute == USED_HIGH || attribute == RESERVED_HIGH;
  }

  /** A figure in bytes ({@code CUgraphMem_attribute}), of all devices. */
  public synchronized long figure(int attribute) {
    return switch (attribute) {
      case USED -> sum(byAddress.values().stream().filter(GraphMemory::isAllocated).toList());
      case RESERVED -> sum(byAddress.values());
      default -> highest[attribute];
    };
  }

  /** Sets one of the highest figures back to what it is now. */
  public synchronized void reset(int attribute) {
    highest[attribute] = figure(attribute - 1);
  }

  private synchronized void note() {
    highest[USED_HIGH] = Math.max(highest[USED_HIGH], figure(USED));
    highest[RESERVED_HIGH] = Math.max(highest[RESERVED_HIGH], figure(RESERVED));
  }

  private static long sum(Collection<GraphMemory> memories) {
    return memories.stream().mapToLong(memory -> memory.place().bytes()).sum();
  }

  private void forget(DeviceMemory memory, GraphMemory ended) {
    byAddress.remove(ended.place().address(), ended);
    boolean unused = memory.release(ended.place());
  }

  /** The memory that begins at an address; null if it is none of a graph. */
  public GraphMemory at(long address) {
    return byAddress.get(address);
  }

  /** Frees memory outside of a graph, as a result code. */
  public int free(long address) {
    GraphMemory freed = at(address);
    return freed != null && freed.free() ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  /** Whether nodes allocate or free memory. */
  public static boolean isAnyIn(List<GraphNode> nodes) {
    return nodes.stream().anyMatch(node -> node.operation() instanceof MemoryNode);
  }

  /** A graph has ended. */
  public static void leaveGraph(List<GraphNode> nodes) {
    for (GraphNode node : nodes) {
      if (node.operation() instanceof MemoryNode one && !one.frees()) {
        one.memory().leaveGraph();
      }
    }
  }

  /** An executable takes it all, or nothing. */
  public static boolean enterExecutable(List<GraphNode> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).operation() instanceof MemoryNode one
          && !one.frees()
          && !one.memory().enterExecutable()) {
        leaveExecutable(nodes.subList(0, i).stream().map(GraphNode::operation).toList());
        return false;
      }
    }
    return true;
  }

  public static void leaveExecutable(List<Operation> work) {
    for (Operation operation : work) {
      if (operation instanceof MemoryNode one && !one.frees()) {
        one.memory().leaveExecutable();
      }
    }
  }

  /**
   * A launch is asked for: a result code. The memory of its last launch must have been freed
   * before.
   */
  public int launch(List<Operation> work, long flags) {
    boolean frees = (flags & AUTO_FREE_ON_LAUNCH) != 0;
    for (Operation operation : work) {
      if (operation instanceof MemoryNode one
          && !one.frees()
          && one.memory().isAllocated()
          && !frees) {
        return CudaResult.INVALID_VALUE;
      }
    }
    work.forEach(this::count);
    return CudaResult.SUCCESS;
  }

  private void count(Operation operation) {
    if (operation instanceof MemoryNode one && one.frees()) {
      boolean unused = one.memory().free();
    } else if (operation instanceof MemoryNode one) {
      one.memory().allocate();
      note();
    }
  }
}
