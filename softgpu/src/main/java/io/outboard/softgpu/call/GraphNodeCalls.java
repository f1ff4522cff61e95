// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.AllocationNode;
import io.outboard.cuda.struct.BatchNode;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.GraphMemories;
import io.outboard.softgpu.graph.GraphMemory;
import io.outboard.softgpu.graph.GraphNode;
import io.outboard.softgpu.graph.MemoryNode;
import io.outboard.softgpu.graph.NodeAttributes;
import io.outboard.softgpu.graph.NodeWork;
import io.outboard.softgpu.graph.ValueBatch;
import io.outboard.softgpu.launch.KernelOperation;
import io.outboard.softgpu.launch.LaunchAttributes;
import io.outboard.softgpu.stream.EmptyOperation;
import io.outboard.softgpu.stream.Event;
import io.outboard.softgpu.stream.EventRecordOperation;
import io.outboard.softgpu.stream.EventWaitOperation;
import io.outboard.softgpu.stream.HostFunctionOperation;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/** The kinds of nodes. Their work is made by {@link NodeWork}. */
abstract class GraphNodeCalls extends InnerGraphCalls {
  private final NodeWork work;
  final GraphMemories graphMemories;

  GraphNodeCalls(Machine machine, GraphMemories graphMemories) {
    super(machine);
    this.graphMemories = graphMemories;
    this.work = new NodeWork(machine);
  }

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
    return change(node, NodeType.EVENT_RECORD, made(event(event), true), new byte[0]);
  }

  @Override
  public int cuGraphEventWaitNodeSetEvent(long node, long event) {
    return change(node, NodeType.WAIT_EVENT, made(event(event), false), new byte[0]);
  }

  @Override
  public int cuGraphExecEventRecordNodeSetEvent(long executable, long node, long event) {
    return change(executable, node, NodeType.EVENT_RECORD, made(event(event), true));
  }

  @Override
  public int cuGraphExecEventWaitNodeSetEvent(long executable, long node, long event) {
    return change(executable, node, NodeType.WAIT_EVENT, made(event(event), false));
  }

  @Override
  public int cuGraphEventRecordNodeGetEvent(long node, long event) {
    return tellEvent(node, NodeType.EVENT_RECORD, event);
  }

  @Override
  public int cuGraphEventWaitNodeGetEvent(long node, long event) {
    return tellEvent(node, NodeType.WAIT_EVENT, event);
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

  /** Access descriptions are not carried, and there is nobody to share memory with. */
  @Override
  public int cuGraphAddMemAllocNode(
      long node, long graph, long dependencies, long count, long allocation) {
    Device device = allocation == 0 ? null : PoolCalls.device(machine, allocation);
    long bytes = device == null ? 0 : Native.getLong(allocation + AllocationNode.BYTES_ASKED);
    if (isInside(graph)) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (bytes <= 0 || Native.getLong(allocation + AllocationNode.ACCESS_COUNT) != 0) {
      return CudaResult.INVALID_VALUE;
    }
    GraphMemory made = graphMemories.create(device.memory(), bytes);
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
    return describe(node, NodeType.MEM_ALLOC, allocation);
  }

  @Override
  public int cuGraphAddMemFreeNode(
      long node, long graph, long dependencies, long count, long pointer) {
    if (isInside(graph)) {
      return CudaResult.NOT_SUPPORTED;
    }
    GraphMemory freed = graphMemories.at(pointer);
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
    if (pointer == 0 || asked.type() != NodeType.MEM_FREE) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(pointer, ((MemoryNode) asked.operation()).memory().place().address());
    return CudaResult.SUCCESS;
  }

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
    int count = Native.getInt(operations + BatchNode.COUNT);
    return count == 0
        ? NodeWork.Made.failed(CudaResult.INVALID_VALUE)
        : ValueBatch.read(machine, list, count);
  }

  @Override
  public int cuGraphBatchMemOpNodeSetParams(long node, long operations) {
    return change(node, NodeType.BATCH_MEM_OP, batch(operations), new byte[0]);
  }

  @Override
  public int cuGraphExecBatchMemOpNodeSetParams(long executable, long node, long operations) {
    return change(executable, node, NodeType.BATCH_MEM_OP, batch(operations));
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
    return change(node, NodeType.HOST, made(function, userData), new byte[0]);
  }

  @Override
  public int outboardGraphExecHostNodeSetParams(
      long executable, long node, long function, long userData) {
    return change(executable, node, NodeType.HOST, made(function, userData));
  }

  @Override
  public int outboardGraphKernelNodeSetParams(
      long node, long launch, long parameters, int parameterBytes) {
    NodeWork.Made made = work.kernel(launch, parameters, parameterBytes);
    return change(node, NodeType.KERNEL, made, new byte[0]);
  }

  @Override
  public int cuGraphMemcpyNodeSetParams(long node, long copy) {
    return change(node, NodeType.MEMCPY, work.copy(copy), NodeWork.copyDescription(copy));
  }

  @Override
  public int cuGraphMemsetNodeSetParams(long node, long fill) {
    return change(node, NodeType.MEMSET, work.fill(fill), NodeWork.fillDescription(fill));
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

  @Override
  public int cuGraphMemcpyNodeGetParams(long node, long copy) {
    return describe(node, NodeType.MEMCPY, copy);
  }

  @Override
  public int cuGraphMemsetNodeGetParams(long node, long fill) {
    return describe(node, NodeType.MEMSET, fill);
  }

  @Override
  public int outboardGraphExecKernelNodeSetParams(
      long executable, long node, long launch, long parameters, int parameterBytes) {
    NodeWork.Made made = work.kernel(launch, parameters, parameterBytes);
    return change(executable, node, NodeType.KERNEL, made);
  }

  @Override
  public int cuGraphExecMemcpyNodeSetParams(long executable, long node, long copy, long context) {
    return change(executable, node, NodeType.MEMCPY, work.copy(copy));
  }

  @Override
  public int cuGraphExecMemsetNodeSetParams(long executable, long node, long fill, long context) {
    return change(executable, node, NodeType.MEMSET, work.fill(fill));
  }

  private GraphNode kernel(long node) {
    GraphNode found = machine.handles().get(node, GraphNode.class);
    return found != null && found.type() == NodeType.KERNEL ? found : null;
  }

  @Override
  public int cuGraphKernelNodeGetAttribute(long node, int attribute, long value) {
    GraphNode asked = kernel(node);
    if (asked == null || !NodeAttributes.has(attribute) || value == 0) {
      return CudaResult.INVALID_VALUE;
    }
    MemorySegment.copy(
        MemorySegment.ofArray(asked.attributes().get(attribute)),
        0,
        Native.MEMORY,
        value,
        NodeAttributes.BYTES);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphKernelNodeSetAttribute(long node, int attribute, long value) {
    GraphNode changed = kernel(node);
    if (changed == null
        || !NodeAttributes.canBeSet(attribute)
        || value == 0
        || !LaunchAttributes.isValid(attribute, value)) {
      return CudaResult.INVALID_VALUE;
    }
    if (!NodeAttributes.isServed(attribute, value)) {
      return CudaResult.NOT_SUPPORTED;
    }
    changed
        .attributes()
        .set(attribute, Native.MEMORY.asSlice(value, NodeAttributes.BYTES).toArray(JAVA_BYTE));
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuGraphKernelNodeCopyAttributes(long to, long from) {
    GraphNode target = kernel(to);
    GraphNode source = kernel(from);
    if (target == null || source == null) {
      return CudaResult.INVALID_VALUE;
    }
    target.attributes().copy(source.attributes());
    return CudaResult.SUCCESS;
  }
}
