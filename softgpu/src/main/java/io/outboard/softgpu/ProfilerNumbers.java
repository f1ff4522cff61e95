// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.WorkWatch;
import io.outboard.softgpu.graph.Graph;
import io.outboard.softgpu.graph.GraphExecutable;
import io.outboard.softgpu.graph.GraphNode;

/**
 * The numbers that profilers are told of what handles stand for; 0 where there is no such thing.
 */
public final class ProfilerNumbers {
  private final Machine machine;

  ProfilerNumbers(Machine machine) {
    this.machine = machine;
  }

  /** A context's. */
  public int context(long context) {
    Context its = machine.handles().get(context, Context.class);
    return its == null ? 0 : WorkWatch.number(its);
  }

  /** A stream's, also of those that have values and no handles, of a context. */
  public int stream(long context, long stream) {
    Context its = machine.handles().get(context, Context.class);
    Stream found = its == null ? null : its.stream(stream);
    return found == null ? 0 : WorkWatch.number(found);
  }

  /** A graph's. */
  public int graph(long graph) {
    return number(machine.handles().get(graph, Graph.class));
  }

  /** That of a graph that can be launched. */
  public int executable(long executable) {
    GraphExecutable its = machine.handles().get(executable, GraphExecutable.class);
    return its == null ? 0 : its.number();
  }

  /** A node's. */
  public long node(long node) {
    GraphNode its = machine.handles().get(node, GraphNode.class);
    return its == null ? 0 : its.handle();
  }

  private static int number(Handled object) {
    return object == null ? 0 : (int) object.handle();
  }
}
