// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.EXECUTABLE;
import static io.outboard.cuda.CudaKinds.GRAPH;
import static io.outboard.cuda.CudaKinds.NODE;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.cuda.CudaKinds.USER_OBJECT;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.COMPUTE;

import io.outboard.cuda.struct.AllocationNode;
import io.outboard.cuda.struct.BatchNode;
import io.outboard.cuda.struct.ExecutableUpdate;
import io.outboard.cuda.struct.GraphEdge;
import io.outboard.cuda.struct.InstantiateParameters;
import io.outboard.cuda.struct.KernelNode;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.cuda.struct.MemsetNode;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Local;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Graphs: nodes, executables, launches; CUDA Driver API, section 6.23. A copy from or to memory
 * that only the program has is a graph of its own: the copy of a staging buffer, which is filled
 * when the graph is launched, or read by a function of the program afterwards.
 */
public interface CudaGraphs {
  /** Makes an empty graph. */
  @Call(240)
  int cuGraphCreate(@Out(LONG) @Handle(value = GRAPH, life = Life.CREATE) long graph, int flags);

  /** Ends a graph and its nodes. */
  @Call(241)
  int cuGraphDestroy(@Handle(value = GRAPH, life = Life.DESTROY) long graph);

  /** Adds a node that does nothing but wait. */
  @Call(242)
  int cuGraphAddEmptyNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count);

  /** Adds a launch. */
  @Call(243)
  @Custom(value = "not a function of the vendor: cuGraphAddKernelNode, packed", binding = true)
  int outboardGraphAddKernelNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @In(struct = KernelNode.class) long launch,
      @In(bytes = "parameterBytes") long parameters,
      int parameterBytes);

  /** Changes a launch. */
  @Call(244)
  @Custom(
      value = "not a function of the vendor: cuGraphKernelNodeSetParams, packed",
      binding = true)
  int outboardGraphKernelNodeSetParams(
      @Handle(NODE) long node,
      @In(struct = KernelNode.class) long launch,
      @In(bytes = "parameterBytes") long parameters,
      int parameterBytes);

  /**
   * Changes a launch of an executable graph; answered unless one of the same shape has been
   * accepted.
   */
  @Call(245)
  @Async
  @Custom(
      value = "not a function of the vendor: cuGraphExecKernelNodeSetParams, packed",
      binding = true)
  int outboardGraphExecKernelNodeSetParams(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @In(struct = KernelNode.class) long launch,
      @In(bytes = "parameterBytes") long parameters,
      int parameterBytes);

  /** The launch of a node; the packed parameters as far as there is room. */
  @Call(246)
  @Custom(
      value = "not a function of the vendor: cuGraphKernelNodeGetParams, packed",
      binding = true)
  int outboardGraphKernelNodeGetParams(
      @Handle(NODE) long node,
      @Out(struct = KernelNode.class) long launch,
      @Out(bytes = "room") long parameters,
      int room);

  /** Adds a copy. */
  @Call(247)
  @Custom("copies of memory that only the program has")
  int cuGraphAddMemcpyNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @In(struct = Memcpy3D.class) long copy,
      @Handle(CONTEXT) long context);

  /** The copy of a node. */
  @Call(248)
  @Custom("copies of memory that only the program has")
  int cuGraphMemcpyNodeGetParams(@Handle(NODE) long node, @Out(struct = Memcpy3D.class) long copy);

  /** Changes a copy. */
  @Call(249)
  @Custom("copies of memory that only the program has")
  int cuGraphMemcpyNodeSetParams(@Handle(NODE) long node, @In(struct = Memcpy3D.class) long copy);

  /**
   * Changes a copy of an executable graph; answered unless one of the same shape has been accepted.
   */
  @Call(250)
  @Async
  @Custom("copies of memory that only the program has")
  int cuGraphExecMemcpyNodeSetParams(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @In(struct = Memcpy3D.class) long copy,
      @Handle(CONTEXT) long context);

  /** Adds a fill. */
  @Call(251)
  int cuGraphAddMemsetNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @In(struct = MemsetNode.class) long fill,
      @Handle(CONTEXT) long context);

  /** The fill of a node. */
  @Call(252)
  int cuGraphMemsetNodeGetParams(
      @Handle(NODE) long node, @Out(struct = MemsetNode.class) long fill);

  /** Changes a fill. */
  @Call(253)
  int cuGraphMemsetNodeSetParams(@Handle(NODE) long node, @In(struct = MemsetNode.class) long fill);

  /** Changes a fill of an executable graph. */
  @Call(254)
  int cuGraphExecMemsetNodeSetParams(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @In(struct = MemsetNode.class) long fill,
      @Handle(CONTEXT) long context);

  /** Adds a function of the program. */
  @Call(255)
  @Custom(
      value = "not a function of the vendor: cuGraphAddHostNode with its structure taken apart",
      binding = true)
  int outboardGraphAddHostNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @Callback(userData = "userData", repeated = true) long function,
      long userData);

  /** Adds a copy of another graph as one node. */
  @Call(256)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  int cuGraphAddChildGraphNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @Handle(GRAPH) long child);

  /** Adds a graph itself as one node, which it is from then on, and with which it ends. */
  @Call(530)
  @Custom(
      value = "not a function of the vendor: cuGraphAddNode, of a graph that moves",
      binding = true)
  default int outboardGraphMoveChildGraphNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @Handle(value = GRAPH, life = Life.GIVE, parent = "node") long child) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The graph that a node is. */
  @Call(257)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  default int cuGraphChildGraphNodeGetGraph(
      @Handle(NODE) long node, @Out(LONG) @Handle(value = GRAPH, parent = "node") long graph) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds the recording of an event. */
  @Call(258)
  default int cuGraphAddEventRecordNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds waiting for an event. */
  @Call(259)
  default int cuGraphAddEventWaitNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The event that a node records. */
  @Call(260)
  default int cuGraphEventRecordNodeGetEvent(
      @Handle(NODE) long node, @Out(LONG) @Handle(EVENT) long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has a node record another event. */
  @Call(261)
  default int cuGraphEventRecordNodeSetEvent(
      @Handle(NODE) long node, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphEventRecordNodeSetEvent, of an executable graph. */
  @Call(262)
  default int cuGraphExecEventRecordNodeSetEvent(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The event that a node waits for. */
  @Call(263)
  default int cuGraphEventWaitNodeGetEvent(
      @Handle(NODE) long node, @Out(LONG) @Handle(EVENT) long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has a node wait for another event. */
  @Call(264)
  default int cuGraphEventWaitNodeSetEvent(
      @Handle(NODE) long node, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphEventWaitNodeSetEvent, of an executable graph. */
  @Call(265)
  default int cuGraphExecEventWaitNodeSetEvent(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Changes the graph that a node of an executable graph is. */
  @Call(266)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  default int cuGraphExecChildGraphNodeSetParams(
      @Handle(EXECUTABLE) long executable, @Handle(NODE) long node, @Handle(GRAPH) long child) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds an allocation. */
  @Call(267)
  @Custom("the range, and access descriptions that are refused")
  default int cuGraphAddMemAllocNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @InOut(struct = AllocationNode.class) long allocation) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The allocation of a node. */
  @Call(268)
  default int cuGraphMemAllocNodeGetParams(
      @Handle(NODE) long node, @Out(struct = AllocationNode.class) long allocation) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds the end of an allocation. */
  @Call(269)
  default int cuGraphAddMemFreeNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @DevicePointer long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The address that a node frees. */
  @Call(270)
  default int cuGraphMemFreeNodeGetParams(
      @Handle(NODE) long node, @Out(LONG) @DevicePointer long pointer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds waiting for and writing values. */
  @Call(271)
  default int cuGraphAddBatchMemOpNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @In(struct = BatchNode.class) long operations) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies a graph. */
  @Call(272)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  int cuGraphClone(
      @Out(LONG) @Handle(value = GRAPH, life = Life.CREATE) long clone, @Handle(GRAPH) long graph);

  /** The copy of a node. */
  @Call(273)
  default int cuGraphNodeFindInClone(
      @Out(LONG) @Handle(value = NODE, parent = "clone") long node,
      @Handle(NODE) long original,
      @Handle(GRAPH) long clone) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The type of a node (CUgraphNodeType). */
  @Call(274)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  int cuGraphNodeGetType(@Handle(NODE) long node, @Out(INT) long type);

  /** The nodes of a graph, or their number. */
  @Call(275)
  int cuGraphGetNodes(
      @Handle(GRAPH) long graph,
      @Out(value = LONG, count = "count") @Handle(value = NODE, parent = "graph") long nodes,
      @InOut(LONG) long count);

  /** The nodes that wait for no other, or their number. */
  @Call(276)
  int cuGraphGetRootNodes(
      @Handle(GRAPH) long graph,
      @Out(value = LONG, count = "count") @Handle(value = NODE, parent = "graph") long nodes,
      @InOut(LONG) long count);

  /** The edges of a graph, or their number. */
  @Call(277)
  int cuGraphGetEdges_v2(
      @Handle(GRAPH) long graph,
      @Out(value = LONG, count = "count") @Handle(value = NODE, parent = "graph") long from,
      @Out(value = LONG, count = "count") @Handle(value = NODE, parent = "graph") long to,
      @Out(struct = GraphEdge.class, count = "count") long edges,
      @InOut(LONG) long count);

  /** The nodes that a node waits for, or their number. */
  @Call(278)
  int cuGraphNodeGetDependencies_v2(
      @Handle(NODE) long node,
      @Out(value = LONG, count = "count") @Handle(NODE) long dependencies,
      @Out(struct = GraphEdge.class, count = "count") long edges,
      @InOut(LONG) long count);

  /** The nodes that wait for a node, or their number. */
  @Call(279)
  int cuGraphNodeGetDependentNodes_v2(
      @Handle(NODE) long node,
      @Out(value = LONG, count = "count") @Handle(NODE) long dependents,
      @Out(struct = GraphEdge.class, count = "count") long edges,
      @InOut(LONG) long count);

  /** Adds edges. */
  @Call(280)
  int cuGraphAddDependencies_v2(
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long from,
      @In(value = LONG, count = "count") @Handle(NODE) long to,
      @In(struct = GraphEdge.class, count = "count") long edges,
      long count);

  /** Takes edges out. */
  @Call(281)
  int cuGraphRemoveDependencies_v2(
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long from,
      @In(value = LONG, count = "count") @Handle(NODE) long to,
      @In(struct = GraphEdge.class, count = "count") long edges,
      long count);

  /** Takes a node out, with its edges. */
  @Call(282)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  int cuGraphDestroyNode(@Handle(value = NODE, life = Life.DESTROY) long node);

  /** Makes an executable graph. */
  @Call(283)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  @Blocking
  int cuGraphInstantiateWithFlags(
      @Out(LONG) @Handle(value = EXECUTABLE, life = Life.CREATE) long executable,
      @Handle(GRAPH) long graph,
      long flags);

  /** Makes an executable graph, and says what was wrong. */
  @Call(284)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  @Blocking
  @Variants("cuGraphInstantiateWithParams_ptsz")
  int cuGraphInstantiateWithParams(
      @Out(LONG) @Handle(value = EXECUTABLE, life = Life.CREATE) long executable,
      @Handle(GRAPH) long graph,
      @InOut(struct = InstantiateParameters.class) long parameters);

  /** The flags that it was made with. */
  @Call(285)
  int cuGraphExecGetFlags(@Handle(EXECUTABLE) long executable, @Out(LONG) long flags);

  /** Ends an executable graph, once it has run. */
  @Call(286)
  @Custom("copies of memory that only the program has, which are graphs in the backend")
  int cuGraphExecDestroy(@Handle(value = EXECUTABLE, life = Life.DESTROY) long executable);

  /**
   * Takes over the parameters of a graph of the same shape. The result of the vendor's function
   * comes as an output, because what is wrong is said where it fails.
   */
  @Call(287)
  @Custom(
      value = "not a function of the vendor: cuGraphExecUpdate_v2, whose failure has outputs",
      binding = true)
  int outboardGraphExecUpdate(
      @Handle(EXECUTABLE) long executable,
      @Handle(GRAPH) long graph,
      @InOut(struct = ExecutableUpdate.class) long information,
      @Out(INT) long outcome);

  /** Launches a graph. */
  @Call(288)
  @Async
  @DeviceWork(value = COMPUTE, in = "stream")
  @Custom("the answer that is due where graphs have memory")
  @Variants("cuGraphLaunch_ptsz")
  int cuGraphLaunch(@Handle(EXECUTABLE) long executable, @Handle(STREAM) long stream);

  /** Prepares the first launch of a graph. */
  @Call(289)
  @Takes(Resource.NOTHING)
  @Async
  @Variants("cuGraphUpload_ptsz")
  int cuGraphUpload(@Handle(EXECUTABLE) long executable, @Handle(STREAM) long stream);

  /** Whether a node of an executable graph does its work. */
  @Call(290)
  int cuGraphNodeGetEnabled(
      @Handle(EXECUTABLE) long executable, @Handle(NODE) long node, @Out(INT) long enabled);

  /** Switches a node of an executable graph. */
  @Call(291)
  int cuGraphNodeSetEnabled(
      @Handle(EXECUTABLE) long executable, @Handle(NODE) long node, int enabled);

  /** Copies the attributes of a launch. */
  @Call(292)
  default int cuGraphKernelNodeCopyAttributes(@Handle(NODE) long to, @Handle(NODE) long from) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** An attribute of a launch; its value has 64 bytes. */
  @Call(293)
  default int cuGraphKernelNodeGetAttribute(
      @Handle(NODE) long node, int attribute, @Out(bytes = "64") long value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets an attribute of a launch. */
  @Call(294)
  default int cuGraphKernelNodeSetAttribute(
      @Handle(NODE) long node, int attribute, @In(bytes = "64") long value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes an object of the program that graphs can own; its function runs when nobody does. */
  @Call(295)
  default int cuUserObjectCreate(
      @Out(LONG) @Handle(value = USER_OBJECT, life = Life.CREATE) long object,
      long pointer,
      @Callback(userData = "pointer") long destroy,
      int count,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds owners. */
  @Call(296)
  default int cuUserObjectRetain(@Handle(USER_OBJECT) long object, int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Takes owners away. */
  @Call(297)
  default int cuUserObjectRelease(@Handle(USER_OBJECT) long object, int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has a graph own an object. */
  @Call(298)
  default int cuGraphRetainUserObject(
      @Handle(GRAPH) long graph, @Handle(USER_OBJECT) long object, int count, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Takes a graph's object away. */
  @Call(299)
  default int cuGraphReleaseUserObject(
      @Handle(GRAPH) long graph, @Handle(USER_OBJECT) long object, int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes a condition; kernels are given its value. */
  @Call(300)
  default int cuGraphConditionalHandleCreate(
      @Out(LONG) long handle,
      @Handle(GRAPH) long graph,
      @Handle(CONTEXT) long context,
      int value,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Adds a node that runs graphs of its own, its bodies, as a condition says; they are made with
   * it.
   */
  @Call(516)
  @Custom(value = "not a function of the vendor: cuGraphAddNode, of a condition", binding = true)
  default int outboardGraphAddConditionalNode(
      @Out(LONG) @Handle(value = NODE, life = Life.CREATE, parent = "graph") long node,
      @Handle(GRAPH) long graph,
      @In(value = LONG, count = "count") @Handle(NODE) long dependencies,
      long count,
      @Handle(CONTEXT) long context,
      long condition,
      int kind,
      @Out(value = LONG, count = "size") @Handle(GRAPH) long bodies,
      int size) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds a launch. */
  @Local(
      prototype =
          "CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode"
              + " *dependencies, size_t count, const void *launch)")
  @Variants("cuGraphAddKernelNode")
  default int cuGraphAddKernelNode_v2(
      @Out(LONG) long node, @Handle(GRAPH) long graph, long dependencies, long count, long launch) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Changes a launch. */
  @Local(prototype = "CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const void *launch)")
  @Variants("cuGraphKernelNodeSetParams")
  default int cuGraphKernelNodeSetParams_v2(@Handle(NODE) long node, long launch) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Changes a launch of an executable graph. */
  @Local(
      prototype =
          "CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,"
              + " const void *launch)")
  @Variants("cuGraphExecKernelNodeSetParams")
  default int cuGraphExecKernelNodeSetParams_v2(
      @Handle(EXECUTABLE) long executable, @Handle(NODE) long node, long launch) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The launch of a node; the parameters live until the next question. */
  @Local(prototype = "CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, void *launch)")
  @Variants("cuGraphKernelNodeGetParams")
  default int cuGraphKernelNodeGetParams_v2(@Handle(NODE) long node, long launch) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds a function of the program. */
  @Local(
      prototype =
          "CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode"
              + " *dependencies, size_t count, const void *host)")
  default int cuGraphAddHostNode(
      @Out(LONG) long node, @Handle(GRAPH) long graph, long dependencies, long count, long host) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds a node of any kind. */
  @Local(
      prototype =
          "CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode"
              + " *dependencies, const CUgraphEdgeData *edges, size_t count, void *parameters)")
  default int cuGraphAddNode_v2(
      @Out(LONG) long node,
      @Handle(GRAPH) long graph,
      long dependencies,
      long edges,
      long count,
      long parameters) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphAddNode_v2, without edges' data. */
  @Same(
      as = "cuGraphAddNode_v2",
      with = {"node", "graph", "dependencies", "NULL", "count", "parameters"},
      prototype =
          "CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode"
              + " *dependencies, size_t count, void *parameters)")
  default int cuGraphAddNode(
      @Out(LONG) long node,
      @Handle(GRAPH) long graph,
      long dependencies,
      long count,
      long parameters) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphGetEdges_v2, without edges' data. */
  @Same(
      as = "cuGraphGetEdges_v2",
      with = {"graph", "from", "to", "NULL", "count"},
      prototype =
          "CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t"
              + " *count)")
  default int cuGraphGetEdges(@Handle(GRAPH) long graph, long from, long to, long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphNodeGetDependencies_v2, without edges' data. */
  @Same(
      as = "cuGraphNodeGetDependencies_v2",
      with = {"node", "dependencies", "NULL", "count"},
      prototype =
          "CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t"
              + " *count)")
  default int cuGraphNodeGetDependencies(@Handle(NODE) long node, long dependencies, long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphNodeGetDependentNodes_v2, without edges' data. */
  @Same(
      as = "cuGraphNodeGetDependentNodes_v2",
      with = {"node", "dependents", "NULL", "count"},
      prototype =
          "CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents, size_t"
              + " *count)")
  default int cuGraphNodeGetDependentNodes(@Handle(NODE) long node, long dependents, long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphAddDependencies_v2, without edges' data. */
  @Same(
      as = "cuGraphAddDependencies_v2",
      with = {"graph", "from", "to", "NULL", "count"},
      prototype =
          "CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const"
              + " CUgraphNode *to, size_t count)")
  default int cuGraphAddDependencies(@Handle(GRAPH) long graph, long from, long to, long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphRemoveDependencies_v2, without edges' data. */
  @Same(
      as = "cuGraphRemoveDependencies_v2",
      with = {"graph", "from", "to", "NULL", "count"},
      prototype =
          "CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const"
              + " CUgraphNode *to, size_t count)")
  default int cuGraphRemoveDependencies(@Handle(GRAPH) long graph, long from, long to, long count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphInstantiateWithFlags; the log is empty. */
  @Local(
      prototype =
          "CUresult cuGraphInstantiate_v2(CUgraphExec *executable, CUgraph graph, CUgraphNode"
              + " *errorNode, char *log, size_t room)")
  @Variants("cuGraphInstantiate")
  default int cuGraphInstantiate_v2(
      @Out(LONG) long executable,
      @Handle(GRAPH) long graph,
      @Out(LONG) long errorNode,
      long log,
      long room) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphExecUpdate_v2. */
  @Local(
      prototype =
          "CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode"
              + " *errorNode, int *result)")
  default int cuGraphExecUpdate(
      @Handle(EXECUTABLE) long executable,
      @Handle(GRAPH) long graph,
      @Out(LONG) long errorNode,
      @Out(INT) long result) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Takes over the parameters of a graph of the same shape. */
  @Local(
      prototype =
          "CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,"
              + " CUgraphExecUpdateResultInfo *information)")
  default int cuGraphExecUpdate_v2(
      @Handle(EXECUTABLE) long executable, @Handle(GRAPH) long graph, long information) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has a node call another function of the program. */
  @Call(301)
  @Custom(
      value =
          "not a function of the vendor: cuGraphHostNodeSetParams with its structure taken apart",
      binding = true)
  int outboardGraphHostNodeSetParams(
      @Handle(NODE) long node,
      @Callback(userData = "userData", repeated = true) long function,
      long userData);

  /** As outboardGraphHostNodeSetParams, of an executable graph. */
  @Call(302)
  @Custom(
      value =
          "not a function of the vendor: cuGraphExecHostNodeSetParams with its structure taken"
              + " apart",
      binding = true)
  int outboardGraphExecHostNodeSetParams(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @Callback(userData = "userData", repeated = true) long function,
      long userData);

  /** Changes the values that a node waits for and writes. */
  @Call(303)
  default int cuGraphBatchMemOpNodeSetParams(
      @Handle(NODE) long node, @In(struct = BatchNode.class) long operations) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As cuGraphBatchMemOpNodeSetParams, of an executable graph. */
  @Call(304)
  default int cuGraphExecBatchMemOpNodeSetParams(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @In(struct = BatchNode.class) long operations) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Has a node call another function of the program. */
  @Local(prototype = "CUresult cuGraphHostNodeSetParams(CUgraphNode node, const void *host)")
  default int cuGraphHostNodeSetParams(@Handle(NODE) long node, @In(bytes = "16") long host) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The function that a node calls; it is known of nodes that were added as such. */
  @Local(prototype = "CUresult cuGraphHostNodeGetParams(CUgraphNode node, void *host)")
  default int cuGraphHostNodeGetParams(@Handle(NODE) long node, @Out(bytes = "16") long host) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuGraphHostNodeSetParams}, of an executable graph. */
  @Local(
      prototype =
          "CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node, const"
              + " void *host)")
  default int cuGraphExecHostNodeSetParams(
      @Handle(EXECUTABLE) long executable, @Handle(NODE) long node, @In(bytes = "16") long host) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Changes what a node of any kind does. */
  @Local(prototype = "CUresult cuGraphNodeSetParams(CUgraphNode node, void *parameters)")
  default int cuGraphNodeSetParams(@Handle(NODE) long node, @In(bytes = "256") long parameters) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuGraphNodeSetParams}, of an executable graph. */
  @Local(
      prototype =
          "CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node, void"
              + " *parameters)")
  default int cuGraphExecNodeSetParams(
      @Handle(EXECUTABLE) long executable,
      @Handle(NODE) long node,
      @In(bytes = "256") long parameters) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Writes a graph for Graphviz into a file of the program's. */
  @Local(
      prototype =
          "CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags)")
  default int cuGraphDebugDotPrint(@Handle(GRAPH) long graph, long path, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }
}
