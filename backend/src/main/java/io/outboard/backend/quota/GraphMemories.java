// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.AllocationNode;
import io.outboard.wire.Native;

/** How much the allocations of a graph and of the graphs in it come to. */
final class GraphMemories {
  // CUgraphNodeType.
  private static final int CHILD = 4;
  private static final int ALLOCATION = 10;

  private static final int DEEPEST = 16;

  private final CudaDriver driver;

  GraphMemories(CudaDriver driver) {
    this.driver = driver;
  }

  /** Bytes, 0 for what is no graph. */
  long of(long graph) {
    return of(graph, 0);
  }

  private long of(long graph, int depth) {
    try (NativeBuffer count = new NativeBuffer(Long.BYTES)) {
      boolean known =
          depth < DEEPEST
              && driver.cuGraphGetNodes(graph, 0, count.address()) == CudaResult.SUCCESS;
      return known ? ofNodes(graph, Native.getLong(count.address()), depth) : 0;
    }
  }

  private long ofNodes(long graph, long count, int depth) {
    if (count == 0) {
      return 0;
    }
    try (NativeBuffer nodes = new NativeBuffer((count + 1) * Long.BYTES)) {
      long counted = nodes.address() + count * Long.BYTES;
      Native.putLong(counted, count);
      if (driver.cuGraphGetNodes(graph, nodes.address(), counted) != CudaResult.SUCCESS) {
        return 0;
      }
      long sum = 0;
      for (long i = 0; i < Math.min(count, Native.getLong(counted)); i++) {
        sum += ofNode(Native.getLong(nodes.address() + i * Long.BYTES), depth);
      }
      return sum;
    }
  }

  private long ofNode(long node, int depth) {
    try (NativeBuffer buffer = new NativeBuffer(AllocationNode.BYTES)) {
      long place = buffer.address();
      if (driver.cuGraphNodeGetType(node, place) != CudaResult.SUCCESS) {
        return 0;
      }
      return switch (Native.getInt(place)) {
        case CHILD ->
            driver.cuGraphChildGraphNodeGetGraph(node, place) == CudaResult.SUCCESS
                ? of(Native.getLong(place), depth + 1)
                : 0;
        case ALLOCATION ->
            driver.cuGraphMemAllocNodeGetParams(node, place) == CudaResult.SUCCESS
                ? Native.getLong(place + AllocationNode.BYTES_ASKED)
                : 0;
        default -> 0;
      };
    }
  }
}
