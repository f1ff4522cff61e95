// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.CudaGraphs;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.GraphExecutable;
import io.outboard.softgpu.graph.GraphNode;
import io.outboard.softgpu.graph.InnerGraphs;
import io.outboard.softgpu.graph.NodeWork;
import io.outboard.softgpu.graph.Nodes;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The common part of all calls of graphs: nodes are added, changed and described here. */
abstract class GraphParts implements CudaGraphs {
  final Machine machine;

  GraphParts(Machine machine) {
    this.machine = machine;
  }

  final int publish(long output, Handled made) {
    if (!machine.handles().add(made)) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(output, made.handle());
    return CudaResult.SUCCESS;
  }

  /** With the graphs that its nodes run. */
  final void unpublish(Graph ended) {
    ended.endOwned();
    ended.forEach(
        node -> {
          machine.handles().remove(node);
          node.inner().all().forEach(machine.handles()::remove);
        });
    machine.handles().remove(ended);
  }

  /**
   * Gives handles to a graph's nodes, and to the graphs that they run; false if there are none
   * left.
   */
  final boolean publishNodes(Graph made) {
    return made.nodes().stream()
        .allMatch(node -> publish(node.inner()) && machine.handles().add(node));
  }

  /** Gives handles to graphs that a node runs, and to their nodes. */
  final boolean publish(InnerGraphs made) {
    return made.all().stream()
        .allMatch(graph -> machine.handles().add(graph) && publishNodes(graph));
  }

  final int unknown() {
    return machine.isInitialised() ? CudaResult.INVALID_HANDLE : CudaResult.NOT_INITIALIZED;
  }

  final int add(
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

  final int add(long node, long graph, long dependencies, long count, NodeWork.Made made) {
    return add(node, graph, dependencies, count, made, new byte[0]);
  }

  final int change(long node, int type, NodeWork.Made made, byte[] described) {
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

  /** A node that was captured has no structure to show. */
  final int describe(long node, int type, long output) {
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

  final GraphExecutable executable(long handle) {
    return machine.handles().get(handle, GraphExecutable.class);
  }

  final int change(long executable, long node, int type, NodeWork.Made made) {
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
}
