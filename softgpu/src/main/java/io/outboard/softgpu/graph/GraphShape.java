// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * The common shape of two graphs of which one may take over the work of the other.
 *
 * @param nodes one after another, in an order in which they can be done
 */
public record GraphShape(List<Node> nodes) {
  /**
   * A node.
   *
   * @param type its type
   * @param behind the positions of those that it waits for
   * @param inner the graphs that it runs
   */
  record Node(int type, List<Integer> behind, List<GraphShape> inner) {}

  public static GraphShape of(Graph graph) {
    List<GraphNode> sorted = graph.sorted();
    List<Node> nodes = new ArrayList<>();
    for (GraphNode node : sorted) {
      List<Integer> behind = node.dependencies().stream().map(sorted::indexOf).sorted().toList();
      nodes.add(
          new Node(node.type(), behind, node.inner().all().stream().map(GraphShape::of).toList()));
    }
    return new GraphShape(nodes);
  }
}
