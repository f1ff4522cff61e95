// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.ExecutableUpdate;
import io.outboard.cuda.struct.InstantiateParameters;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.graph.Capture;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.GraphExecutable;
import io.outboard.softgpu.graph.GraphMemories;
import io.outboard.softgpu.graph.GraphNode;
import io.outboard.softgpu.graph.MemoryNode;
import io.outboard.softgpu.graph.Nodes;
import io.outboard.wire.Native;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Graphs, their edges, and what is made executable of them. */
public final class GraphCalls extends GraphNodeCalls {
  /** {@code CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED}. */
  private static final int TOPOLOGY_CHANGED = 2;

  public GraphCalls(Machine machine, GraphMemories graphMemories) {
    super(machine, graphMemories);
  }

  @Override
  public int cuGraphCreate(long graph, int flags) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    return graph == 0 || flags != 0 ? CudaResult.INVALID_VALUE : publish(graph, new Graph());
  }

  @Override
  public int cuGraphDestroy(long graph) {
    Graph ended = machine.handles().get(graph, Graph.class);
    if (ended == null || ended.isInside()) {
      return ended == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    GraphMemories.leaveGraph(ended.allNodes());
    unpublish(ended);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphClone(long clone, long graph) {
    Graph original = machine.handles().get(graph, Graph.class);
    if (original == null) {
      return unknown();
    }
    if (clone == 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (GraphMemories.isAnyIn(original.allNodes())) {
      return CudaResult.NOT_SUPPORTED;
    }
    Graph copy = original.copy();
    return publishNodes(copy) ? publish(clone, copy) : CudaResult.OUT_OF_MEMORY;
  }

  @Override
  public int cuGraphNodeFindInClone(long node, long original, long clone) {
    GraphNode copied = machine.handles().get(original, GraphNode.class);
    Graph copy = machine.handles().get(clone, Graph.class);
    if (copied == null || copy == null) {
      return unknown();
    }
    GraphNode found = copy.copyOf(copied);
    if (node == 0 || found == null) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(node, found.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphDestroyNode(long node) {
    GraphNode ended = machine.handles().get(node, GraphNode.class);
    if (ended == null || ended.operation() instanceof MemoryNode) {
      return ended == null ? unknown() : CudaResult.NOT_SUPPORTED;
    }
    if (ended.inner().all().stream().anyMatch(GraphCalls::hasMemory)) {
      return CudaResult.NOT_SUPPORTED;
    }
    ended.inner().all().forEach(this::unpublish);
    ended.graph().remove(ended);
    machine.handles().remove(ended);
    return CudaResult.SUCCESS;
  }

  private static boolean hasMemory(Graph graph) {
    return GraphMemories.isAnyIn(graph.allNodes());
  }

  @Override
  public int cuGraphNodeGetType(long node, long type) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    if (asked == null || type == 0) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    Native.putInt(type, asked.type());
    return CudaResult.SUCCESS;
  }

  private int list(long graph, Function<Graph, List<GraphNode>> which, long nodes, long count) {
    Graph asked = machine.handles().get(graph, Graph.class);
    if (asked == null || count == 0) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    Nodes.write(which.apply(asked), nodes, count);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphGetNodes(long graph, long nodes, long count) {
    return list(graph, Graph::nodes, nodes, count);
  }

  @Override
  public int cuGraphGetRootNodes(long graph, long nodes, long count) {
    return list(graph, GraphCalls::roots, nodes, count);
  }

  private static List<GraphNode> roots(Graph graph) {
    return graph.nodes().stream().filter(node -> node.dependencies().isEmpty()).toList();
  }

  @Override
  public int cuGraphGetEdges_v2(long graph, long from, long to, long edges, long count) {
    Graph asked = machine.handles().get(graph, Graph.class);
    if (asked == null || count == 0 || (from == 0) != (to == 0)) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    long room = Native.getLong(count);
    List<Graph.Edge> all = asked.edges();
    Nodes.write(all.stream().map(Graph.Edge::from).toList(), from, count);
    Native.putLong(count, room);
    Nodes.write(all.stream().map(Graph.Edge::to).toList(), to, count);
    return CudaResult.SUCCESS;
  }

  private int around(long node, Collection<GraphNode> others, long nodes, long count) {
    if (count == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Nodes.write(List.copyOf(others), nodes, count);
    return machine.handles().get(node, GraphNode.class) == null ? unknown() : CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphNodeGetDependencies_v2(long node, long dependencies, long edges, long count) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    return asked == null ? unknown() : around(node, asked.dependencies(), dependencies, count);
  }

  @Override
  public int cuGraphNodeGetDependentNodes_v2(long node, long dependents, long edges, long count) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    return asked == null
        ? unknown()
        : around(node, asked.graph().dependents(asked), dependents, count);
  }

  @Override
  public int cuGraphAddDependencies_v2(long graph, long from, long to, long edges, long count) {
    return Nodes.areEdges(edges, count)
        ? connect(graph, from, to, count, true)
        : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuGraphRemoveDependencies_v2(long graph, long from, long to, long edges, long count) {
    return connect(graph, from, to, count, false);
  }

  private int connect(long graph, long from, long to, long count, boolean add) {
    Graph changed = machine.handles().get(graph, Graph.class);
    if (changed == null) {
      return unknown();
    }
    List<GraphNode> first = Nodes.read(machine, changed, from, count);
    List<GraphNode> second = Nodes.read(machine, changed, to, count);
    if (first == null || second == null) {
      return CudaResult.INVALID_VALUE;
    }
    boolean done = true;
    for (int i = 0; i < first.size() && done; i++) {
      done =
          add
              ? changed.connect(first.get(i), second.get(i))
              : changed.disconnect(first.get(i), second.get(i));
    }
    return done ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuGraphInstantiateWithFlags(long executable, long graph, long flags) {
    Graph from = machine.handles().get(graph, Graph.class);
    if (from == null || executable == 0 || from.isInside()) {
      return from == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    if (!GraphMemories.enterExecutable(from.allNodes())) {
      return CudaResult.NOT_SUPPORTED;
    }
    return publish(executable, new GraphExecutable(from, flags));
  }

  @Override
  public int cuGraphInstantiateWithParams(long executable, long graph, long parameters) {
    if (parameters == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(parameters + InstantiateParameters.ERROR_NODE, 0);
    Native.putInt(parameters + InstantiateParameters.RESULT, 0);
    return cuGraphInstantiateWithFlags(executable, graph, Native.getLong(parameters));
  }

  @Override
  public int cuGraphExecGetFlags(long executable, long flags) {
    GraphExecutable asked = executable(executable);
    if (asked == null || flags == 0) {
      return asked == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    Native.putLong(flags, asked.flags());
    return CudaResult.SUCCESS;
  }

  /** Launches that have begun run to their end. */
  @Override
  public int cuGraphExecDestroy(long executable) {
    GraphExecutable ended = executable(executable);
    if (ended == null) {
      return unknown();
    }
    GraphMemories.leaveExecutable(ended.work());
    ended.endOwned();
    machine.handles().remove(ended);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardGraphExecUpdate(long executable, long graph, long information, long outcome) {
    GraphExecutable updated = executable(executable);
    Graph from = machine.handles().get(graph, Graph.class);
    if (updated == null || from == null || information == 0 || outcome == 0) {
      return updated == null || from == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    if (from.isInside()) {
      return CudaResult.INVALID_VALUE;
    }
    boolean done = !GraphMemories.isAnyIn(from.allNodes()) && updated.update(from);
    Native.putInt(information, done ? 0 : TOPOLOGY_CHANGED);
    Native.putLong(information + ExecutableUpdate.ERROR_NODE, 0);
    Native.putLong(information + ExecutableUpdate.ERROR_FROM_NODE, 0);
    Native.putInt(outcome, done ? CudaResult.SUCCESS : CudaResult.GRAPH_EXEC_UPDATE_FAILURE);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphLaunch(long executable, long stream) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    GraphExecutable launched = executable(executable);
    Stream queue = context.ownStream(stream);
    if (launched == null || queue == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (queue.capture() != null) {
      launched.shareWith(Capture.of(queue).graph());
      return context.order().start(queue, launched.operation());
    }
    int result = graphMemories.launch(launched.work(), launched.flags());
    return result == CudaResult.SUCCESS ? context.order().start(queue, launched.launch()) : result;
  }

  /** There is nothing to prepare. */
  @Override
  public int cuGraphUpload(long executable, long stream) {
    Context context = machine.usable(stream);
    if (context == null) {
      return machine.refusal(stream);
    }
    boolean known = executable(executable) != null && context.ownStream(stream) != null;
    return known ? CudaResult.SUCCESS : CudaResult.INVALID_HANDLE;
  }

  @Override
  public int cuGraphNodeGetEnabled(long executable, long node, long enabled) {
    GraphExecutable asked = executable(executable);
    GraphNode which = machine.handles().get(node, GraphNode.class);
    if (asked == null || which == null) {
      return unknown();
    }
    if (enabled == 0 || !asked.has(which) || !which.canBeDisabled()) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putInt(enabled, asked.isEnabled(which) ? 1 : 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphNodeSetEnabled(long executable, long node, int enabled) {
    GraphExecutable changed = executable(executable);
    GraphNode which = machine.handles().get(node, GraphNode.class);
    if (changed == null || which == null) {
      return unknown();
    }
    if (!changed.has(which) || !which.canBeDisabled()) {
      return CudaResult.INVALID_VALUE;
    }
    changed.enable(which, enabled != 0);
    return CudaResult.SUCCESS;
  }
}
