// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Machine;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;

/** Lists of nodes as programs give and take them. */
public final class Nodes {
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
