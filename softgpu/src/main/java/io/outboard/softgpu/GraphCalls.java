// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.AllocationNode;
import io.outboard.cuda.BatchNode;
import io.outboard.cuda.CudaGraphs;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.ExecutableUpdate;
import io.outboard.cuda.InstantiateParameters;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Graphs. Their nodes' work is made by {@link NodeWork}. */
final class GraphCalls implements CudaGraphs {
  /** {@code CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED}. */
  private static final int TOPOLOGY_CHANGED = 2;

  private final Machine machine;
  private final NodeWork work;

  GraphCalls(Machine machine) {
    this.machine = machine;
    this.work = new NodeWork(machine);
  }

  @Override
  public int cuGraphCreate(long graph, int flags) {
    if (!machine.isInitialised()) {
      return CudaResult.NOT_INITIALIZED;
    }
    return graph == 0 || flags != 0 ? CudaResult.INVALID_VALUE : publish(graph, new Graph());
  }

  private int publish(long output, Handled made) {
    if (!machine.handles().add(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(output, made.handle());
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphDestroy(long graph) {
    Graph ended = machine.handles().get(graph, Graph.class);
    if (ended == null) {
      return unknown();
    }
    GraphMemories.leaveGraph(ended.nodes());
    unpublish(ended);
    return CudaResult.SUCCESS;
  }

  /** With the graphs that are its nodes. */
  private void unpublish(Graph ended) {
    ended.forEach(
        node -> {
          machine.handles().remove(node);
          if (node.child() != null) {
            machine.handles().remove(node.child());
          }
        });
    machine.handles().remove(ended);
  }

  /**
   * Gives handles to a graph's nodes, and to the graphs among them; false if there are none left.
   */
  private boolean publishNodes(Graph made) {
    for (GraphNode node : made.nodes()) {
      Graph child = node.child();
      boolean whole = child == null || (machine.handles().add(child) && publishNodes(child));
      if (!whole || !machine.handles().add(node)) {
        return false;
      }
    }
    return true;
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
    if (GraphMemories.isAnyIn(original.nodes())) {
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

  private int unknown() {
    return machine.isInitialised() ? CudaResult.INVALID_HANDLE : CudaResult.NOT_INITIALIZED;
  }

  // ---- nodes

  private int add(
      long node, long graph, long dependencies, long count, NodeWork.Made made, byte[] described) {
    Graph to = machine.handles().get(graph, Graph.class);
    List<GraphNode> behind = to == null ? null : Nodes.read(machine, to, dependencies, count);
    if (behind == null) {
      return to == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    if (node == 0 || made.result() != CudaResult.SUCCESS) {
      return node == 0 ? CudaResult.INVALID_VALUE : made.result();
    }
    GraphNode added = to.add(made.operation(), behind);
    added.description(described);
    int result = publish(node, added);
    if (result != CudaResult.SUCCESS) {
      to.remove(added);
    }
    return result;
  }

  private int add(long node, long graph, long dependencies, long count, NodeWork.Made made) {
    return add(node, graph, dependencies, count, made, new byte[0]);
  }

  // ---- events

  private Event event(long handle) {
    return machine.handles().get(handle, Event.class);
  }

  private static NodeWork.Made made(Event event, boolean records) {
    if (event == null) {
      return NodeWork.Made.failed(CudaResult.INVALID_HANDLE);
    }
    return NodeWork.Made.of(
        records ? new EventRecordOperation(event) : new EventWaitOperation(event));
  }

  @Override
  public int cuGraphAddEventRecordNode(
      long node, long graph, long dependencies, long count, long event) {
    return add(node, graph, dependencies, count, made(event(event), true));
  }

  @Override
  public int cuGraphAddEventWaitNode(
      long node, long graph, long dependencies, long count, long event) {
    return add(node, graph, dependencies, count, made(event(event), false));
  }

  @Override
  public int cuGraphEventRecordNodeSetEvent(long node, long event) {
    return change(node, GraphNode.EVENT_RECORD, made(event(event), true), new byte[0]);
  }

  @Override
  public int cuGraphEventWaitNodeSetEvent(long node, long event) {
    return change(node, GraphNode.WAIT_EVENT, made(event(event), false), new byte[0]);
  }

  @Override
  public int cuGraphExecEventRecordNodeSetEvent(long executable, long node, long event) {
    return change(executable, node, GraphNode.EVENT_RECORD, made(event(event), true));
  }

  @Override
  public int cuGraphExecEventWaitNodeSetEvent(long executable, long node, long event) {
    return change(executable, node, GraphNode.WAIT_EVENT, made(event(event), false));
  }

  @Override
  public int cuGraphEventRecordNodeGetEvent(long node, long event) {
    return tellEvent(node, GraphNode.EVENT_RECORD, event);
  }

  @Override
  public int cuGraphEventWaitNodeGetEvent(long node, long event) {
    return tellEvent(node, GraphNode.WAIT_EVENT, event);
  }

  private int tellEvent(long node, int type, long output) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    if (asked == null) {
      return unknown();
    }
    if (output == 0 || asked.type() != type) {
      return CudaResult.INVALID_VALUE;
    }
    Event named =
        asked.operation() instanceof EventRecordOperation record
            ? record.event()
            : ((EventWaitOperation) asked.operation()).event();
    Native.putLong(output, named.handle());
    return CudaResult.SUCCESS;
  }

  // ---- memory

  /** Access descriptions are not carried, and there is nobody to share memory with. */
  @Override
  public int cuGraphAddMemAllocNode(
      long node, long graph, long dependencies, long count, long allocation) {
    Device device = allocation == 0 ? null : PoolCalls.device(machine, allocation);
    long bytes = device == null ? 0 : Native.getLong(allocation + AllocationNode.BYTES_ASKED);
    if (bytes <= 0 || Native.getLong(allocation + AllocationNode.ACCESS_COUNT) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    GraphMemory made = machine.graphMemories().create(device, bytes);
    if (made == null) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(allocation + AllocationNode.POINTER, made.place().address());
    byte[] described = Native.MEMORY.asSlice(allocation, AllocationNode.BYTES).toArray(JAVA_BYTE);
    NodeWork.Made work = NodeWork.Made.of(new MemoryNode(made, false));
    int result = add(node, graph, dependencies, count, work, described);
    if (result != CudaResult.SUCCESS) {
      made.leaveGraph();
    }
    return result;
  }

  @Override
  public int cuGraphMemAllocNodeGetParams(long node, long allocation) {
    return describe(node, GraphNode.MEM_ALLOC, allocation);
  }

  @Override
  public int cuGraphAddMemFreeNode(
      long node, long graph, long dependencies, long count, long pointer) {
    GraphMemory freed = machine.graphMemories().at(pointer);
    boolean possible =
        freed != null && machine.handles().get(graph, Graph.class) != null && freed.takeFreeNode();
    NodeWork.Made made =
        possible
            ? NodeWork.Made.of(new MemoryNode(freed, true))
            : NodeWork.Made.failed(CudaResult.INVALID_VALUE);
    return add(node, graph, dependencies, count, made);
  }

  @Override
  public int cuGraphMemFreeNodeGetParams(long node, long pointer) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    if (asked == null) {
      return unknown();
    }
    if (pointer == 0 || asked.type() != GraphNode.MEM_FREE) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(pointer, ((MemoryNode) asked.operation()).memory().place().address());
    return CudaResult.SUCCESS;
  }

  // ---- values

  @Override
  public int cuGraphAddBatchMemOpNode(
      long node, long graph, long dependencies, long count, long operations) {
    return add(node, graph, dependencies, count, batch(operations));
  }

  private NodeWork.Made batch(long operations) {
    if (operations == 0 || Native.getInt(operations + BatchNode.FLAGS) != 0) {
      return NodeWork.Made.failed(CudaResult.INVALID_VALUE);
    }
    long list = Native.getLong(operations + BatchNode.OPERATIONS);
    return ValueBatch.read(machine, list, Native.getInt(operations + BatchNode.COUNT));
  }

  @Override
  public int cuGraphBatchMemOpNodeSetParams(long node, long operations) {
    return change(node, GraphNode.BATCH_MEM_OP, batch(operations), new byte[0]);
  }

  @Override
  public int cuGraphExecBatchMemOpNodeSetParams(long executable, long node, long operations) {
    return change(executable, node, GraphNode.BATCH_MEM_OP, batch(operations));
  }

  @Override
  public int cuGraphAddEmptyNode(long node, long graph, long dependencies, long count) {
    NodeWork.Made nothing = NodeWork.Made.of(new EmptyOperation());
    return add(node, graph, dependencies, count, nothing, new byte[0]);
  }

  @Override
  public int outboardGraphAddKernelNode(
      long node,
      long graph,
      long dependencies,
      long count,
      long launch,
      long parameters,
      int parameterBytes) {
    NodeWork.Made made = work.kernel(launch, parameters, parameterBytes);
    return add(node, graph, dependencies, count, made, new byte[0]);
  }

  @Override
  public int cuGraphAddMemcpyNode(
      long node, long graph, long dependencies, long count, long copy, long context) {
    NodeWork.Made made = work.copy(copy);
    return add(node, graph, dependencies, count, made, NodeWork.copyDescription(copy));
  }

  @Override
  public int cuGraphAddMemsetNode(
      long node, long graph, long dependencies, long count, long fill, long context) {
    NodeWork.Made made = work.fill(fill);
    return add(node, graph, dependencies, count, made, NodeWork.fillDescription(fill));
  }

  @Override
  public int outboardGraphAddHostNode(
      long node, long graph, long dependencies, long count, long function, long userData) {
    return add(node, graph, dependencies, count, made(function, userData));
  }

  private static NodeWork.Made made(long function, long userData) {
    return function == 0
        ? NodeWork.Made.failed(CudaResult.INVALID_VALUE)
        : NodeWork.Made.of(new HostFunctionOperation(function, userData));
  }

  @Override
  public int outboardGraphHostNodeSetParams(long node, long function, long userData) {
    return change(node, GraphNode.HOST, made(function, userData), new byte[0]);
  }

  @Override
  public int outboardGraphExecHostNodeSetParams(
      long executable, long node, long function, long userData) {
    return change(executable, node, GraphNode.HOST, made(function, userData));
  }

  /** The child is copied: what becomes of it later changes nothing. */
  @Override
  public int cuGraphAddChildGraphNode(
      long node, long graph, long dependencies, long count, long child) {
    Graph inner = machine.handles().get(child, Graph.class);
    if (inner == null || GraphMemories.isAnyIn(inner.nodes())) {
      return inner == null ? unknown() : CudaResult.NOT_SUPPORTED;
    }
    Graph copy = inner.copy();
    NodeWork.Made made = NodeWork.Made.of(copy.operation());
    int result = add(node, graph, dependencies, count, made);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    machine.handles().get(Native.getLong(node), GraphNode.class).child(copy);
    return machine.handles().add(copy) && publishNodes(copy)
        ? CudaResult.SUCCESS
        : CudaResult.OUT_OF_MEMORY;
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
    GraphNode which = machine.handles().get(node, GraphNode.class);
    Graph inner = machine.handles().get(child, Graph.class);
    if (which == null || inner == null) {
      return unknown();
    }
    boolean fits = which.child() != null && which.child().hasShapeOf(inner);
    NodeWork.Made made =
        fits
            ? NodeWork.Made.of(inner.operation())
            : NodeWork.Made.failed(CudaResult.GRAPH_EXEC_UPDATE_FAILURE);
    return change(executable, node, GraphNode.GRAPH, made);
  }

  @Override
  public int cuGraphDestroyNode(long node) {
    GraphNode ended = machine.handles().get(node, GraphNode.class);
    if (ended == null || ended.operation() instanceof MemoryNode) {
      return ended == null ? unknown() : CudaResult.NOT_SUPPORTED;
    }
    if (ended.child() != null) {
      unpublish(ended.child());
    }
    ended.graph().remove(ended);
    machine.handles().remove(ended);
    return CudaResult.SUCCESS;
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

  // ---- what nodes do

  private int change(long node, int type, NodeWork.Made made, byte[] described) {
    GraphNode changed = machine.handles().get(node, GraphNode.class);
    if (changed == null) {
      return unknown();
    }
    if (changed.type() != type || made.result() != CudaResult.SUCCESS) {
      return changed.type() != type ? CudaResult.INVALID_VALUE : made.result();
    }
    changed.operation(made.operation());
    changed.description(described);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardGraphKernelNodeSetParams(
      long node, long launch, long parameters, int parameterBytes) {
    NodeWork.Made made = work.kernel(launch, parameters, parameterBytes);
    return change(node, GraphNode.KERNEL, made, new byte[0]);
  }

  @Override
  public int cuGraphMemcpyNodeSetParams(long node, long copy) {
    return change(node, GraphNode.MEMCPY, work.copy(copy), NodeWork.copyDescription(copy));
  }

  @Override
  public int cuGraphMemsetNodeSetParams(long node, long fill) {
    return change(node, GraphNode.MEMSET, work.fill(fill), NodeWork.fillDescription(fill));
  }

  @Override
  public int outboardGraphKernelNodeGetParams(long node, long launch, long parameters, int room) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    if (asked == null) {
      return unknown();
    }
    if (launch == 0 || !(asked.operation() instanceof KernelOperation kernel)) {
      return CudaResult.INVALID_VALUE;
    }
    NodeWork.describe(kernel, launch, parameters, room);
    return CudaResult.SUCCESS;
  }

  /** A node that was captured has no structure to show. */
  private int describe(long node, int type, long output) {
    GraphNode asked = machine.handles().get(node, GraphNode.class);
    if (asked == null) {
      return unknown();
    }
    if (output == 0 || asked.type() != type) {
      return CudaResult.INVALID_VALUE;
    }
    byte[] bytes = asked.description();
    MemorySegment.copy(bytes, 0, Native.MEMORY, JAVA_BYTE, output, bytes.length);
    return bytes.length == 0 ? CudaResult.NOT_SUPPORTED : CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphMemcpyNodeGetParams(long node, long copy) {
    return describe(node, GraphNode.MEMCPY, copy);
  }

  @Override
  public int cuGraphMemsetNodeGetParams(long node, long fill) {
    return describe(node, GraphNode.MEMSET, fill);
  }

  // ---- edges

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
    return connect(graph, from, to, count, true);
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

  // ---- executables

  @Override
  public int cuGraphInstantiateWithFlags(long executable, long graph, long flags) {
    Graph from = machine.handles().get(graph, Graph.class);
    if (from == null || executable == 0) {
      return from == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    if (!GraphMemories.enterExecutable(from.nodes())) {
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

  private GraphExecutable executable(long handle) {
    return machine.handles().get(handle, GraphExecutable.class);
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

  /** What has been launched runs to its end. */
  @Override
  public int cuGraphExecDestroy(long executable) {
    GraphExecutable ended = executable(executable);
    if (ended == null) {
      return unknown();
    }
    GraphMemories.leaveExecutable(ended.work());
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
    boolean done = !GraphMemories.isAnyIn(from.nodes()) && updated.update(from);
    Native.putInt(information, done ? 0 : TOPOLOGY_CHANGED);
    Native.putLong(information + ExecutableUpdate.ERROR_NODE, 0);
    Native.putLong(information + ExecutableUpdate.ERROR_FROM_NODE, 0);
    Native.putInt(outcome, done ? CudaResult.SUCCESS : CudaResult.GRAPH_EXEC_UPDATE_FAILURE);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphLaunch(long executable, long stream) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    GraphExecutable launched = executable(executable);
    Stream queue = context.ownStream(stream);
    if (launched == null || queue == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (queue.capture() != null) {
      return context.order().start(queue, launched.operation());
    }
    int result = machine.graphMemories().launch(launched.work(), launched.flags());
    return result == CudaResult.SUCCESS
        ? context.order().start(queue, launched.operation().launched())
        : result;
  }

  /** There is nothing to prepare. */
  @Override
  public int cuGraphUpload(long executable, long stream) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    boolean known = executable(executable) != null && context.ownStream(stream) != null;
    return known ? CudaResult.SUCCESS : CudaResult.INVALID_HANDLE;
  }

  private int change(long executable, long node, int type, NodeWork.Made made) {
    GraphExecutable changed = executable(executable);
    GraphNode which = machine.handles().get(node, GraphNode.class);
    if (changed == null || which == null) {
      return unknown();
    }
    if (!changed.has(which) || which.type() != type) {
      return CudaResult.INVALID_VALUE;
    }
    if (made.result() == CudaResult.SUCCESS) {
      changed.operation(which, made.operation());
    }
    return made.result();
  }

  @Override
  public int outboardGraphExecKernelNodeSetParams(
      long executable, long node, long launch, long parameters, int parameterBytes) {
    NodeWork.Made made = work.kernel(launch, parameters, parameterBytes);
    return change(executable, node, GraphNode.KERNEL, made);
  }

  @Override
  public int cuGraphExecMemcpyNodeSetParams(long executable, long node, long copy, long context) {
    return change(executable, node, GraphNode.MEMCPY, work.copy(copy));
  }

  @Override
  public int cuGraphExecMemsetNodeSetParams(long executable, long node, long fill, long context) {
    return change(executable, node, GraphNode.MEMSET, work.fill(fill));
  }

  @Override
  public int cuGraphNodeGetEnabled(long executable, long node, long enabled) {
    GraphExecutable asked = executable(executable);
    GraphNode which = machine.handles().get(node, GraphNode.class);
    if (asked == null || which == null) {
      return unknown();
    }
    if (enabled == 0 || !asked.has(which)) {
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
    if (!changed.has(which)) {
      return CudaResult.INVALID_VALUE;
    }
    changed.enable(which, enabled != 0);
    return CudaResult.SUCCESS;
  }
}
