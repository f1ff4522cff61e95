// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import java.util.LinkedHashSet;
import java.util.Set;

/** A node of a graph. Guarded by its graph. */
public final class GraphNode extends Handled {
  private final Graph graph;
  private final Set<GraphNode> dependencies = new LinkedHashSet<>();
  private Operation operation;
  private InnerGraphs inner = InnerGraphs.NONE;
  private byte[] description = {};
  private final NodeAttributes attributes = new NodeAttributes();

  GraphNode(Graph graph, Operation operation) {
    this.graph = graph;
    this.operation = operation;
  }

  public Graph graph() {
    return graph;
  }

  public int type() {
    return operation.nodeType();
  }

  /** As {@code cuGraphNodeSetEnabled} has it: kernels, copies and fills. */
  public boolean canBeDisabled() {
    return switch (type()) {
      case NodeType.KERNEL, NodeType.MEMCPY, NodeType.MEMSET -> true;
      default -> false;
    };
  }

  /** The nodes that it waits for. */
  public Set<GraphNode> dependencies() {
    return dependencies;
  }

  /** Its work, as it is now. */
  public Operation operation() {
    return inner.isEmpty()
        ? operation
        : inner.operation(inner.all().stream().map(Graph::operation).toList());
  }

  /** The graphs that it runs. */
  public InnerGraphs inner() {
    return inner;
  }

  /** Runs graphs, which are inside its own from now on. */
  public void inner(InnerGraphs graphs) {
    inner = graphs;
    graphs.all().forEach(Graph::enter);
  }

  /** The graph that it is; null if it is none. */
  public Graph child() {
    return type() == NodeType.GRAPH && !inner.isEmpty() ? inner.all().getFirst() : null;
  }

  /** Gives it other work of its type. */
  public void operation(Operation changed) {
    operation = changed;
  }

  /** Those of the launch that it is. */
  public NodeAttributes attributes() {
    return attributes;
  }

  /** The vendor's structure that it was made with; empty where it was captured. */
  public byte[] description() {
    return description;
  }

  public void description(byte[] bytes) {
    description = bytes;
  }
}
