// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.util.List;

/** A whole graph as one piece of work: its nodes one after another, in an order that they allow. */
final class GraphOperation extends Operation {
  private final List<Operation> steps;

  GraphOperation(List<Operation> steps) {
    this.steps = List.copyOf(steps);
  }

  @Override
  int nodeType() {
    return GraphNode.GRAPH;
  }

  @Override
  void perform(Context context) {
    for (Operation step : steps) {
      if (context.error() == 0) {
        step.perform(context);
      }
    }
  }
}
