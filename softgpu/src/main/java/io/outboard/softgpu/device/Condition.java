// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.base.Handled;

/** A value that kernels set, and that says which graphs of a node run. */
public final class Condition {
  private final Handled graph;
  private final int first;
  private final boolean assigned;
  private volatile int value;
  private boolean taken;

  /**
   * Creates one.
   *
   * @param graph which its node is in
   * @param first its value at first
   * @param assigned whether each launch begins with that value
   */
  public Condition(Handled graph, int first, boolean assigned) {
    this.graph = graph;
    this.first = first;
    this.assigned = assigned;
    this.value = first;
  }

  public int value() {
    return value;
  }

  public void value(int changed) {
    value = changed;
  }

  /** A launch of its graph begins. */
  public void begin() {
    if (assigned) {
      value = first;
    }
  }

  /** A node of a graph uses it; false if it is another graph's, or another node does. */
  public synchronized boolean take(Handled of) {
    boolean possible = graph == of && !taken;
    taken |= possible;
    return possible;
  }
}
