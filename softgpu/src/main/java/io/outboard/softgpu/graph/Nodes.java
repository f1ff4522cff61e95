// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Machine;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;

/** Lists of nodes as programs give and take them. */
public final class Nodes {
  private static final int EDGE_BYTES = 8;

  /** Behind the two ports. */
  private static final int TYPE_AT = 2;

  /** {@code CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC}. */
  private static final byte PROGRAMMATIC = 1;

  /** {@code CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_COMPLETION}. */
  private static final byte LAST_PORT = 2;

  private Nodes() {}

  /** Nodes of a graph; null if one is not. */
  public static List<GraphNode> read(Machine machine, Graph graph, long handles, long count) {
    List<GraphNode> nodes = new ArrayList<>();
    if (count < 0 || (handles == 0 && count > 0)) {
      return null;
    }
    for (long i = 0; i < count; i++) {
      GraphNode node = machine.handles().get(Native.getLong(handles + 8 * i), GraphNode.class);
      if (node == null || node.graph() != graph) {
        return null;
      }
      nodes.add(node);
    }
    return nodes;
  }

  /**
   * Whether so many edges ({@code CUgraphEdgeData}) at an address say what edges can say; 0: they
   * say nothing.
   */
  public static boolean areEdges(long edges, long count) {
    for (long i = 0; edges != 0 && i < count; i++) {
      long edge = edges + i * EDGE_BYTES;
      boolean known = Native.getByte(edge) >= 0 && Native.getByte(edge) <= LAST_PORT;
      for (int at = 1; at < EDGE_BYTES && known; at++) {
        byte value = Native.getByte(edge + at);
        known = value == 0 || (at == TYPE_AT && value == PROGRAMMATIC);
      }
      if (!known) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes as many as there is room for, which {@code count} says, and zeros in what is left, and
   * then says how many there are. With {@code handles} 0 it says only that.
   */
  public static void write(List<GraphNode> nodes, long handles, long count) {
    long room = handles == 0 ? 0 : Native.getLong(count);
    for (int i = 0; i < room; i++) {
      Native.putLong(handles + 8L * i, i < nodes.size() ? nodes.get(i).handle() : 0);
    }
    Native.putLong(count, handles == 0 ? nodes.size() : Math.min(room, nodes.size()));
  }
}
