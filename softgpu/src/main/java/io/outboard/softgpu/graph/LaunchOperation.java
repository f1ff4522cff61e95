// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;
import java.util.List;

/** A launch of a graph whose conditions begin anew with it. */
final class LaunchOperation extends Operation {
  private final List<Condition> conditions;
  private final Operation work;

  LaunchOperation(List<Condition> conditions, Operation work) {
    this.conditions = List.copyOf(conditions);
    this.work = work;
  }

  @Override
  public boolean always() {
    return true;
  }

  @Override
  public void perform(Context context) {
    conditions.forEach(Condition::begin);
    work.execute(context);
  }
}
