// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import java.util.List;

/** Runs graphs as a condition says. */
public final class ConditionalOperation extends Operation {
  /** {@code CU_GRAPH_COND_TYPE_IF}. */
  private static final int IF = 0;

  /** {@code CU_GRAPH_COND_TYPE_WHILE}. */
  private static final int WHILE = 1;

  /** {@code CU_GRAPH_COND_TYPE_SWITCH}. */
  private static final int SWITCH = 2;

  private final Condition condition;
  private final int kind;
  private final List<Operation> bodies;

  ConditionalOperation(Condition condition, int kind, List<Operation> bodies) {
    this.condition = condition;
    this.kind = kind;
    this.bodies = List.copyOf(bodies);
  }

  /** Whether there is such a kind, with so many graphs. */
  public static boolean isPossible(int kind, int graphs) {
    return switch (kind) {
      case IF -> graphs == 1 || graphs == 2;
      case WHILE -> graphs == 1;
      case SWITCH -> graphs >= 1;
      default -> false;
    };
  }

  @Override
  public int nodeType() {
    return NodeType.CONDITIONAL;
  }

  @Override
  public Operation launched() {
    return new ConditionalOperation(
        condition, kind, bodies.stream().map(Operation::launched).toList());
  }

  @Override
  public void perform(Context context) {
    switch (kind) {
      case IF -> run(condition.value() != 0 ? 0 : 1, context);
      case SWITCH -> run(condition.value(), context);
      default -> repeat(context);
    }
  }

  private void repeat(Context context) {
    while (condition.value() != 0 && context.error() == CudaResult.SUCCESS) {
      run(0, context);
    }
  }

  private void run(int which, Context context) {
    if (which >= 0 && which < bodies.size()) {
      bodies.get(which).execute(context);
    }
  }
}
