// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.base.DoneWork;

/** One piece of work in a stream; in a graph it may be done again and again. */
public abstract class Operation {
  private Dependency dependencies;
  private long asker;
  private int graph;

  /** Makes it wait for a point of another stream. */
  public final void dependOn(Stream stream, long sequence) {
    dependencies = new Dependency(stream, sequence, dependencies);
  }

  /** Waits for what it depends on, then does the work, unless the context is lost. */
  public final void execute(Context context) {
    if (dependencies != null) {
      dependencies.await();
    }
    dependencies = null;
    if (context.error() == 0 || always()) {
      context.machine().workWatch().perform(this, context);
    }
  }

  /** Says who asks for it. */
  final void asker(long number) {
    asker = number;
  }

  final long asker() {
    return asker;
  }

  /** Says that it is a launch of the graph of this number. */
  public final void graph(int number) {
    graph = number;
  }

  final int graph() {
    return graph;
  }

  /** The work as profilers see it; null where they see none. */
  public DoneWork work() {
    return null;
  }

  /** Whether the work is done in a lost context too. */
  public boolean always() {
    return false;
  }

  /** The type of a graph's node that does this work ({@code CUgraphNodeType}). */
  public int nodeType() {
    return NodeType.EMPTY;
  }

  /** The work as a launch of its graph does it, as things are when that is asked for. */
  public Operation launched() {
    return this;
  }

  /** Does the work; errors are reported to the context. */
  public abstract void perform(Context context);
}
