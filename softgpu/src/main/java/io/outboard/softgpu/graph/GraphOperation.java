// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import java.util.List;

/** A whole graph as one piece of work: its nodes one after another, in an order that they allow. */
final class GraphOperation extends Operation {
  private final List<Operation> steps;
  private final int nodeType;

  GraphOperation(List<Operation> steps) {
    this(steps, NodeType.GRAPH);
  }

  /** Work that is a node of another type. */
  GraphOperation(List<Operation> steps, int nodeType) {
    this.steps = List.copyOf(steps);
    this.nodeType = nodeType;
  }

  @Override
  public Operation launched() {
    return new GraphOperation(steps.stream().map(Operation::launched).toList(), nodeType);
  }

  /** In a lost context too, where some steps are done all the same. */
  @Override
  public boolean always() {
    return true;
  }

  @Override
  public int nodeType() {
    return nodeType;
  }

  @Override
  public void perform(Context context) {
    for (Operation step : steps) {
      step.execute(context);
    }
  }
}
