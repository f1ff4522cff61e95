// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Operation;
import java.util.List;

/**
 * The graphs that a node runs.
 *
 * @param all the graph that the node is, or those that its condition chooses from, or none
 * @param condition what says which run; null where the node is a graph
 * @param kind how it says so ({@code CUgraphConditionalNodeType})
 */
public record InnerGraphs(List<Graph> all, Condition condition, int kind) {
  /** Of a node that runs no graph. */
  static final InnerGraphs NONE = new InnerGraphs(List.of(), null, 0);

  /** Of a node that is a graph. */
  public static InnerGraphs child(Graph graph) {
    return new InnerGraphs(List.of(graph), null, 0);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Copies of them, with nodes of their own. */
  InnerGraphs copy() {
    return new InnerGraphs(all.stream().map(Graph::copy).toList(), condition, kind);
  }

  /** The node's work, given that of its graphs. */
  public Operation operation(List<Operation> work) {
    return condition == null ? work.getFirst() : new ConditionalOperation(condition, kind, work);
  }
}
