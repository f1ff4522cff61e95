// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.graph.ConditionalOperation;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.GraphExecutable;
import io.outboard.softgpu.graph.GraphNode;
import io.outboard.softgpu.graph.GraphShape;
import io.outboard.softgpu.graph.InnerGraphs;
import io.outboard.softgpu.graph.MemoryNode;
import io.outboard.softgpu.graph.NodeWork;
import io.outboard.wire.Native;
import java.util.List;
import java.util.stream.Stream;

/** Nodes that run graphs: graphs that are nodes, and conditions. */
abstract class InnerGraphCalls extends UserObjectCalls {
  /** {@code CU_GRAPH_COND_ASSIGN_DEFAULT}. */
  private static final int ASSIGN_DEFAULT = 1;

  InnerGraphCalls(Machine machine) {
    super(machine);
  }

  /** Whether a graph is one that a node of another one runs. */
  final boolean isInside(long graph) {
    Graph asked = machine.handles().get(graph, Graph.class);
    return asked != null && asked.isInside();
  }

  /** The child is copied: later changes of it do not matter. */
  @Override
  public int cuGraphAddChildGraphNode(
      long node, long graph, long dependencies, long count, long child) {
    Graph inner = machine.handles().get(child, Graph.class);
    if (inner == null) {
      return unknown();
    }
    boolean copied =
        inner.allNodes().stream()
            .noneMatch(one -> one.type() == NodeType.CONDITIONAL || isMemory(one));
    if (!copied) {
      return CudaResult.NOT_SUPPORTED;
    }
    InnerGraphs copy = InnerGraphs.child(inner.copy());
    int result = add(node, graph, dependencies, count, copy);
    if (result != CudaResult.SUCCESS) {
      copy.all().getFirst().endOwned();
      return result;
    }
    return publish(copy) ? CudaResult.SUCCESS : CudaResult.OUT_OF_MEMORY;
  }

  private static boolean isMemory(GraphNode node) {
    return node.operation() instanceof MemoryNode;
  }

  private int add(long node, long graph, long dependencies, long count, InnerGraphs inner) {
    List<Operation> work = inner.all().stream().map(Graph::operation).toList();
    NodeWork.Made made = NodeWork.Made.of(inner.operation(work));
    int result = add(node, graph, dependencies, count, made);
    if (result == CudaResult.SUCCESS) {
      machine.handles().get(Native.getLong(node), GraphNode.class).inner(inner);
    }
    return result;
  }

  /** The child is the node from now on, and ends with it. */
  @Override
  public int outboardGraphMoveChildGraphNode(
      long node, long graph, long dependencies, long count, long child) {
    Graph inner = machine.handles().get(child, Graph.class);
    Graph outer = machine.handles().get(graph, Graph.class);
    if (inner == null || outer == null) {
      return unknown();
    }
    boolean possible = !inner.isInside() && inner != outer && !isWithin(outer, inner);
    return possible
        ? add(node, graph, dependencies, count, InnerGraphs.child(inner))
        : CudaResult.INVALID_VALUE;
  }

  private static boolean isWithin(Graph graph, Graph other) {
    return other.allNodes().stream().anyMatch(node -> node.inner().all().contains(graph));
  }

  @Override
  public int cuGraphChildGraphNodeGetGraph(long node, long graph) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    if (asked == null) {
      return unknown();
    }
    if (graph == 0 || asked.child() == null) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(graph, asked.child().handle());
    return CudaResult.SUCCESS;
  }

  /** The graph has to have the shape of the one that the node was made with. */
  @Override
  public int cuGraphExecChildGraphNodeSetParams(long executable, long node, long child) {
    GraphExecutable changed = executable(executable);
    GraphNode which = machine.handles().get(node, GraphNode.class);
    Graph inner = machine.handles().get(child, Graph.class);
    if (changed == null || which == null || inner == null) {
      return unknown();
    }
    if (!changed.has(which) || which.type() != NodeType.GRAPH) {
      return CudaResult.INVALID_VALUE;
    }
    boolean fits =
        which.child() != null && GraphShape.of(which.child()).equals(GraphShape.of(inner));
    if (fits) {
      changed.update(which, inner);
    }
    return fits ? CudaResult.SUCCESS : CudaResult.GRAPH_EXEC_UPDATE_FAILURE;
  }

  @Override
  public int cuGraphConditionalHandleCreate(
      long handle, long graph, long context, int value, int flags) {
    Graph of = machine.handles().get(graph, Graph.class);
    if (of == null) {
      return unknown();
    }
    if (handle == 0 || (flags & ~ASSIGN_DEFAULT) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    Condition made = new Condition(of, value, flags == ASSIGN_DEFAULT);
    long number = machine.conditions().add(made);
    if (number == 0) {
      return CudaResult.OUT_OF_MEMORY;
    }
    of.add(made);
    Native.putLong(handle, number);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardGraphAddConditionalNode(
      long node,
      long graph,
      long dependencies,
      long count,
      long context,
      long condition,
      int kind,
      long bodies,
      int size) {
    Graph of = machine.handles().get(graph, Graph.class);
    Condition named = machine.conditions().get(condition);
    boolean possible = named != null && bodies != 0 && ConditionalOperation.isPossible(kind, size);
    if (of == null || !possible || !named.take(of)) {
      return of == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    List<Graph> all = Stream.generate(Graph::new).limit(size).toList();
    InnerGraphs made = new InnerGraphs(all, named, kind);
    int result = add(node, graph, dependencies, count, made);
    if (result != CudaResult.SUCCESS || !publish(made)) {
      return result == CudaResult.SUCCESS ? CudaResult.OUT_OF_MEMORY : result;
    }
    for (int i = 0; i < size; i++) {
      Native.putLong(bodies + (long) Long.BYTES * i, all.get(i).handle());
    }
    return CudaResult.SUCCESS;
  }
}
