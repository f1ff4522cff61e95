// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.cuda.CudaDriverNative;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.GraphEdge;
import io.outboard.cuda.struct.KernelNode;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Graphs, captures and links of the vendor's library, as far as their shape on the wire differs
 * from the vendor's functions.
 */
abstract class VendorGraphs extends CudaDriverNative {
  private static final int SCRATCH_BYTES = 512;

  // "extra" of cuLaunchKernel: CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END.
  private static final long BUFFER_POINTER = 1;
  private static final long BUFFER_SIZE = 2;
  private static final int EXTRA_BYTES = 48;

  /** {@code CUDA_KERNEL_NODE_PARAMS}: offset of the array of parameters, of "extra", of kernel. */
  private static final int PARAMETERS = 40;

  private static final int EXTRA = 48;
  private static final int KERNEL = 56;
  private static final int CONTEXT = 64;
  private static final int NODE_BYTES = 72;

  /** {@code CUgraphNodeParams} of a condition: offsets, and how many bytes they all are. */
  private static final int CONDITION = 16;

  private static final int CONDITION_KIND = 24;
  private static final int CONDITION_SIZE = 28;
  private static final int CONDITION_BODIES = 32;
  private static final int CONDITION_CONTEXT = 40;
  private static final int ANY_NODE_BYTES = 256;

  /** {@code CUgraphNodeParams} of a graph: offsets. */
  private static final int CHILD = 16;

  private static final int CHILD_OWNERSHIP = 24;

  /** {@code CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}. */
  private static final int MOVE = 1;

  // CUgraphNodeType.
  private static final int GRAPH = 4;
  private static final int CONDITIONAL = 13;

  /**
   * The first bytes of a launch and of a node: the function, the grid, the block, shared memory.
   */
  private static final int SHAPE_BYTES = 36;

  private final ThreadLocal<MemorySegment> scratch =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SCRATCH_BYTES, 8));

  /** The downcall handle of a function that returns a result; null if the library lacks it. */
  static MethodHandle bind(String symbol, MemoryLayout... arguments) {
    return downcall(symbol, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  VendorGraphs(SymbolLookup library) {
    super(library);
  }

  /** Room of the thread, overwritten by its next call. */
  final long scratch() {
    return scratch.get().address();
  }

  /** The packed parameters as the vendor takes them, 0 where there are none. */
  final long extra(long parameters, int parameterBytes) {
    if (parameterBytes == 0) {
      return 0;
    }
    long extra = scratch();
    Native.putLong(extra, BUFFER_POINTER);
    Native.putLong(extra + 8, parameters);
    Native.putLong(extra + 16, BUFFER_SIZE);
    Native.putLong(extra + 24, extra + 40);
    Native.putLong(extra + 32, 0);
    Native.putLong(extra + 40, parameterBytes);
    return extra;
  }

  /** The vendor's structure of a node, behind the packed parameters in the thread's room. */
  private long node(long launch, long parameters, int parameterBytes) {
    long extra = extra(parameters, parameterBytes);
    long node = scratch() + EXTRA_BYTES;
    Native.MEMORY.asSlice(node, NODE_BYTES).fill((byte) 0);
    MemorySegment.copy(Native.MEMORY, launch, Native.MEMORY, node, SHAPE_BYTES);
    Native.putLong(node + EXTRA, extra);
    Native.putLong(node + CONTEXT, Native.getLong(launch + KernelNode.CONTEXT_VALUE));
    return node;
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
    return call(
        Handles.ADD_KERNEL_NODE,
        node,
        graph,
        dependencies,
        count,
        node(launch, parameters, parameterBytes));
  }

  /** The library makes the bodies, and keeps the list of them. */
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
    long wanted = scratch();
    Native.MEMORY.asSlice(wanted, ANY_NODE_BYTES).fill((byte) 0);
    Native.putInt(wanted, CONDITIONAL);
    Native.putLong(wanted + CONDITION, condition);
    Native.putInt(wanted + CONDITION_KIND, kind);
    Native.putInt(wanted + CONDITION_SIZE, size);
    Native.putLong(wanted + CONDITION_CONTEXT, context);
    int result = call(Handles.ADD_NODE, node, graph, dependencies, count, wanted);
    if (result == CudaResult.SUCCESS) {
      long made = Native.getLong(wanted + CONDITION_BODIES);
      Native.copy(made, bodies, (long) Long.BYTES * size);
    }
    return result;
  }

  @Override
  public int outboardGraphMoveChildGraphNode(
      long node, long graph, long dependencies, long count, long child) {
    long wanted = scratch();
    Native.MEMORY.asSlice(wanted, ANY_NODE_BYTES).fill((byte) 0);
    Native.putInt(wanted, GRAPH);
    Native.putLong(wanted + CHILD, child);
    Native.putInt(wanted + CHILD_OWNERSHIP, MOVE);
    return call(Handles.ADD_NODE, node, graph, dependencies, count, wanted);
  }

  @Override
  public int outboardGraphKernelNodeSetParams(
      long node, long launch, long parameters, int parameterBytes) {
    return call(Handles.SET_KERNEL_NODE, node, node(launch, parameters, parameterBytes));
  }

  @Override
  public int outboardGraphExecKernelNodeSetParams(
      long executable, long node, long launch, long parameters, int parameterBytes) {
    long changed = node(launch, parameters, parameterBytes);
    return call(Handles.SET_EXECUTABLE_KERNEL_NODE, executable, node, changed);
  }

  @Override
  public int outboardGraphKernelNodeGetParams(long node, long launch, long parameters, int room) {
    long found = scratch() + EXTRA_BYTES;
    int result = call(Handles.GET_KERNEL_NODE, node, found);
    if (result != CudaResult.SUCCESS) {
      return result;
    }
    long function = Native.getLong(found);
    function = function != 0 ? function : Native.getLong(found + KERNEL);
    MemorySegment.copy(Native.MEMORY, found, Native.MEMORY, launch, SHAPE_BYTES);
    Native.putLong(launch, function);
    Native.putLong(launch + KernelNode.CONTEXT_VALUE, Native.getLong(found + CONTEXT));
    long pointers = Native.getLong(found + PARAMETERS);
    int bytes =
        pointers == 0
            ? unwrap(Native.getLong(found + EXTRA), parameters, room)
            : pack(loaded(function), pointers, parameters, room);
    Native.putInt(launch + KernelNode.PARAMETER_BYTES, bytes);
    return CudaResult.SUCCESS;
  }

  /** Takes parameters out of "extra"; returns their size. */
  private static int unwrap(long extra, long to, int room) {
    long from = 0;
    long bytes = 0;
    for (long at = extra; at != 0 && Native.getLong(at) != 0; at += 16) {
      long value = Native.getLong(at + 8);
      from = Native.getLong(at) == BUFFER_POINTER ? value : from;
      bytes = Native.getLong(at) == BUFFER_SIZE ? Native.getLong(value) : bytes;
    }
    if (to != 0 && from != 0 && bytes <= room) {
      MemorySegment.copy(Native.MEMORY, from, Native.MEMORY, to, bytes);
    }
    return (int) bytes;
  }

  /** Packs parameters that lie anywhere; returns their size. */
  private int pack(long function, long pointers, long to, int room) {
    long offset = scratch();
    int bytes = 0;
    for (int i = 0;
        cuFuncGetParamInfo(function, i, offset, offset + 8) == CudaResult.SUCCESS;
        i++) {
      int start = (int) Native.getLong(offset);
      int size = (int) Native.getLong(offset + 8);
      bytes = Math.max(bytes, start + size);
      if (to != 0 && bytes <= room) {
        long from = Native.getLong(pointers + 8L * i);
        MemorySegment.copy(Native.MEMORY, from, Native.MEMORY, to + start, size);
      }
    }
    return bytes;
  }

  /**
   * The function of a kernel, or what is given if that is a function. Launches take either; calls
   * about functions refuse a kernel as an invalid handle (seen with driver 580).
   */
  final long loaded(long function) {
    long value = scratch();
    if (cuFuncGetAttribute(value, 0, function) != CudaResult.INVALID_HANDLE) {
      return function;
    }
    boolean kernel = cuKernelGetFunction(value, function) == CudaResult.SUCCESS;
    return kernel ? Native.getLong(value) : function;
  }

  @Override
  public int outboardGraphExecUpdate(long executable, long graph, long information, long outcome) {
    if (Handles.UPDATE_EXECUTABLE == null || outcome == 0) {
      return CudaResult.NOT_SUPPORTED;
    }
    Native.putInt(outcome, call(Handles.UPDATE_EXECUTABLE, executable, graph, information));
    return CudaResult.SUCCESS;
  }

  /** {@code CUDA_HOST_NODE_PARAMS}: the function and what it is given. */
  @Override
  public int outboardGraphAddHostNode(
      long node, long graph, long dependencies, long count, long function, long userData) {
    long host = host(function, userData);
    return call(Handles.ADD_HOST_NODE, node, graph, dependencies, count, host);
  }

  @Override
  public int outboardGraphHostNodeSetParams(long node, long function, long userData) {
    return call(Handles.SET_HOST_NODE, node, host(function, userData));
  }

  @Override
  public int outboardGraphExecHostNodeSetParams(
      long executable, long node, long function, long userData) {
    return call(Handles.SET_EXECUTABLE_HOST_NODE, executable, node, host(function, userData));
  }

  /** {@code CUDA_HOST_NODE_PARAMS}. */
  private long host(long function, long userData) {
    long host = scratch();
    Native.putLong(host, function);
    Native.putLong(host + 8, userData);
    return host;
  }

  @Override
  public int outboardCaptureHostFunc(long stream, long function, long userData) {
    return cuLaunchHostFunc(stream, function, userData);
  }

  @Override
  public int outboardAddCallback(long stream, long function, long userData) {
    MethodHandle handle = Handles.ADD_CALLBACK;
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    try {
      return (int) handle.invokeExact(stream, function, userData, 0);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  @Override
  public int outboardStreamGetCaptureInfo(
      long stream, long status, long id, long graph, long dependencies, long edges, long count) {
    MethodHandle handle = Handles.CAPTURE_INFO;
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    long found = scratch();
    Native.putLong(found, 0);
    Native.putLong(found + 8, 0);
    Native.putLong(found + 16, 0);
    try {
      int result =
          (int) handle.invokeExact(stream, status, id, graph, found, found + 8, found + 16);
      if (result == CudaResult.SUCCESS) {
        hand(found, dependencies, edges, count);
      }
      return result;
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  private static void hand(long found, long dependencies, long edges, long count) {
    long there = Native.getLong(found + 16);
    long handed = Math.min(there, Native.getLong(count));
    long nodes = Native.getLong(found);
    long data = Native.getLong(found + 8);
    if (dependencies != 0 && nodes != 0) {
      MemorySegment.copy(Native.MEMORY, nodes, Native.MEMORY, dependencies, 8 * handed);
    }
    if (edges != 0 && data != 0) {
      long bytes = GraphEdge.BYTES * handed;
      MemorySegment.copy(Native.MEMORY, data, Native.MEMORY, edges, bytes);
    }
    Native.putLong(count, handed);
  }

  @Override
  public int outboardMemRelease(long allocation) {
    return cuMemRelease(allocation);
  }

  /** The driver has nothing to do: it knows who has a descriptor. */
  @Override
  public int outboardShareEnd(long handle) {
    return CudaResult.SUCCESS;
  }

  static int call(MethodHandle handle, long first, long second) {
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    try {
      return (int) handle.invokeExact(first, second);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  private static int call(MethodHandle handle, long first, long second, long third) {
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    try {
      return (int) handle.invokeExact(first, second, third);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  private static int call(
      MethodHandle handle, long first, long second, long third, long fourth, long fifth) {
    if (handle == null) {
      return CudaResult.NOT_SUPPORTED;
    }
    try {
      return (int) handle.invokeExact(first, second, third, fourth, fifth);
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  /** Bound when the first of them is called. */
  private static final class Handles {
    static final MethodHandle ADD_KERNEL_NODE =
        bind("cuGraphAddKernelNode_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle ADD_NODE =
        bind("cuGraphAddNode", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle SET_KERNEL_NODE =
        bind("cuGraphKernelNodeSetParams_v2", JAVA_LONG, JAVA_LONG);
    static final MethodHandle GET_KERNEL_NODE =
        bind("cuGraphKernelNodeGetParams_v2", JAVA_LONG, JAVA_LONG);
    static final MethodHandle SET_EXECUTABLE_KERNEL_NODE =
        bind("cuGraphExecKernelNodeSetParams_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle ADD_HOST_NODE =
        bind("cuGraphAddHostNode", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle SET_HOST_NODE =
        bind("cuGraphHostNodeSetParams", JAVA_LONG, JAVA_LONG);
    static final MethodHandle SET_EXECUTABLE_HOST_NODE =
        bind("cuGraphExecHostNodeSetParams", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle UPDATE_EXECUTABLE =
        bind("cuGraphExecUpdate_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle ADD_CALLBACK =
        bind("cuStreamAddCallback", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    static final MethodHandle CAPTURE_INFO =
        bind(
            "cuStreamGetCaptureInfo_v3",
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG);
  }
}
