// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.util.LinkedHashSet;
import java.util.Set;

/** A node of a graph. Guarded by its graph. */
final class GraphNode extends Handled {
  /** {@code CU_GRAPH_NODE_TYPE_KERNEL}. */
  static final int KERNEL = 0;

  /** {@code CU_GRAPH_NODE_TYPE_MEMCPY}. */
  static final int MEMCPY = 1;

  /** {@code CU_GRAPH_NODE_TYPE_MEMSET}. */
  static final int MEMSET = 2;

  /** {@code CU_GRAPH_NODE_TYPE_HOST}. */
  static final int HOST = 3;

  /** {@code CU_GRAPH_NODE_TYPE_GRAPH}. */
  static final int GRAPH = 4;

  /** {@code CU_GRAPH_NODE_TYPE_EMPTY}. */
  static final int EMPTY = 5;

  /** {@code CU_GRAPH_NODE_TYPE_WAIT_EVENT}. */
  static final int WAIT_EVENT = 6;

  /** {@code CU_GRAPH_NODE_TYPE_EVENT_RECORD}. */
  static final int EVENT_RECORD = 7;

  /** {@code CU_GRAPH_NODE_TYPE_MEM_ALLOC}. */
  static final int MEM_ALLOC = 10;

  /** {@code CU_GRAPH_NODE_TYPE_MEM_FREE}. */
  static final int MEM_FREE = 11;

  /** {@code CU_GRAPH_NODE_TYPE_BATCH_MEM_OP}. */
  static final int BATCH_MEM_OP = 12;

  /** {@code CU_GRAPH_NODE_TYPE_CONDITIONAL}. */
  static final int CONDITIONAL = 13;

  private final Graph graph;
  private final Set<GraphNode> dependencies = new LinkedHashSet<>();
  private Operation operation;
  private InnerGraphs inner = InnerGraphs.NONE;
  private byte[] description = {};

  GraphNode(Graph graph, Operation operation) {
    this.graph = graph;
    this.operation = operation;
  }

  Graph graph() {
    return graph;
  }

  int type() {
    return operation.nodeType();
  }

  /** What it waits for. */
  Set<GraphNode> dependencies() {
    return dependencies;
  }

  /** Its work, as it is now. */
  Operation operation() {
    return inner.isEmpty()
        ? operation
        : inner.operation(inner.all().stream().map(Graph::operation).toList());
  }

  /** The graphs that it runs. */
  InnerGraphs inner() {
    return inner;
  }

  /** Runs graphs, which are inside its own from now on. */
  void inner(InnerGraphs graphs) {
    inner = graphs;
    graphs.all().forEach(Graph::enter);
  }

  /** The graph that it is; null if it is none. */
  Graph child() {
    return type() == GRAPH && !inner.isEmpty() ? inner.all().getFirst() : null;
  }

  /** Gives it other work of its type. */
  void operation(Operation changed) {
    operation = changed;
  }

  /** The vendor's structure that it was made with; empty where it was captured. */
  byte[] description() {
    return description;
  }

  void description(byte[] bytes) {
    description = bytes;
  }
}
