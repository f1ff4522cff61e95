// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Operation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A graph that has been made executable; later changes of the graph do not change it. */
public final class GraphExecutable extends Handled {
  private static final AtomicInteger LATEST_NUMBER = new AtomicInteger();

  private final int number = LATEST_NUMBER.incrementAndGet();
  private final long flags;
  private final GraphSteps steps;
  private final GraphShape shape;

  public GraphExecutable(Graph graph, long flags) {
    this.flags = flags;
    steps = new GraphSteps(graph);
    shape = GraphShape.of(graph);
  }

  public long flags() {
    return flags;
  }

  /** A number that no other one of the process has. */
  public int number() {
    return number;
  }

  /** A graph that this becomes a part of has the same conditions, and owns the same. */
  public void shareWith(Graph graph) {
    conditions().forEach(graph::add);
    allOwned().forEach(graph.owned()::addAllOf);
  }

  /** It has ended; launches that are not over keep what they use. */
  public void endOwned() {
    allOwned().forEach(OwnedObjects::end);
  }

  private synchronized List<OwnedObjects> allOwned() {
    return steps.allOwned();
  }

  private synchronized List<Condition> conditions() {
    return steps.allConditions();
  }

  /** One launch of it. */
  public Operation launch() {
    Operation work = operation().launched();
    List<Condition> begun = conditions();
    List<OwnedObjects> used = allOwned();
    used.forEach(OwnedObjects::use);
    Operation whole = begun.isEmpty() ? work : new LaunchOperation(begun, work);
    Operation launched =
        used.isEmpty()
            ? whole
            : new FollowedOperation(whole, () -> used.forEach(OwnedObjects::end));
    launched.graph(number);
    return launched;
  }

  /** Whether the graph that it was made of has this node, or a graph in it has. */
  public synchronized boolean has(GraphNode node) {
    return steps.has(node);
  }

  /** Gives a node other work. */
  public synchronized void operation(GraphNode node, Operation operation) {
    steps.operation(node, operation);
  }

  public synchronized boolean isEnabled(GraphNode node) {
    return steps.isEnabled(node);
  }

  public synchronized void enable(GraphNode node, boolean enabled) {
    steps.enable(node, enabled);
  }

  /** The work of all its nodes, those of the graphs in it included. */
  public synchronized List<Operation> work() {
    return steps.work();
  }

  /** The work of a launch now. */
  public synchronized Operation operation() {
    return steps.operation();
  }

  /** Takes over the work of a graph of the same shape; false if it has another one. */
  public synchronized boolean update(Graph graph) {
    boolean fits = GraphShape.of(graph).equals(shape);
    if (fits) {
      steps.update(graph);
    }
    return fits;
  }

  /** Has a node take over the work of another graph, which has the shape of the node's. */
  public synchronized void update(GraphNode node, Graph graph) {
    steps.update(node, graph);
  }
}
