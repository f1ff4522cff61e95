// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A graph that has been made executable; later changes of the graph do not change it. */
final class GraphExecutable extends Handled {
  private final long flags;
  private final Map<GraphNode, Step> steps = new LinkedHashMap<>();
  private List<List<Integer>> shape;
  private OwnedObjects owned;

  /** The work of one node. */
  private static final class Step {
    private Operation operation;
    private OwnedObjects owned;
    private boolean enabled = true;

    Step(GraphNode node) {
      operation = node.operation();
      owned = owned(node);
    }

    private static OwnedObjects owned(GraphNode node) {
      return node.child() == null ? new OwnedObjects() : node.child().allOwned();
    }

    void update(GraphNode node) {
      operation = node.operation();
      own(owned(node));
    }

    void own(OwnedObjects other) {
      owned.end();
      owned = other;
    }
  }

  GraphExecutable(Graph graph, long flags) {
    this.flags = flags;
    List<GraphNode> nodes = graph.sorted();
    nodes.forEach(node -> steps.put(node, new Step(node)));
    shape = shape(nodes);
    owned = ownedBy(graph);
  }

  private static OwnedObjects ownedBy(Graph graph) {
    OwnedObjects owned = new OwnedObjects();
    owned.addAllOf(graph.owned());
    return owned;
  }

  long flags() {
    return flags;
  }

  /** Owns other things for a node than before. */
  synchronized void own(GraphNode node, OwnedObjects other) {
    steps.get(node).own(other);
  }

  /** A graph that this becomes a part of owns the same. */
  void shareOwned(Graph with) {
    allOwned().forEach(with.owned()::addAllOf);
  }

  /** It has ended; launches that are not over keep what they use. */
  void endOwned() {
    allOwned().forEach(OwnedObjects::end);
  }

  private synchronized List<OwnedObjects> allOwned() {
    List<OwnedObjects> all = new ArrayList<>(List.of(owned));
    steps.values().forEach(step -> all.add(step.owned));
    all.removeIf(OwnedObjects::isEmpty);
    return all;
  }

  /** One launch of it. */
  Operation launch() {
    Operation work = operation().launched();
    List<OwnedObjects> used = allOwned();
    used.forEach(OwnedObjects::use);
    return used.isEmpty()
        ? work
        : new FollowedOperation(work, () -> used.forEach(OwnedObjects::end));
  }

  /** Whether the graph that it was made of has this node. */
  synchronized boolean has(GraphNode node) {
    return steps.containsKey(node);
  }

  /** Gives a node other work. */
  synchronized void operation(GraphNode node, Operation operation) {
    steps.get(node).operation = operation;
  }

  synchronized boolean isEnabled(GraphNode node) {
    return steps.get(node).enabled;
  }

  synchronized void enable(GraphNode node, boolean enabled) {
    steps.get(node).enabled = enabled;
  }

  /** The work of all its nodes. */
  synchronized List<Operation> work() {
    return steps.values().stream().map(step -> step.operation).toList();
  }

  /** What is done now when it is launched. */
  synchronized GraphOperation operation() {
    List<Operation> enabled = new ArrayList<>();
    for (Step step : steps.values()) {
      if (step.enabled) {
        enabled.add(step.operation);
      }
    }
    return new GraphOperation(enabled);
  }

  /** Takes over the work of a graph of the same shape; false if it has another one. */
  synchronized boolean update(Graph graph) {
    List<GraphNode> nodes = graph.sorted();
    List<List<Integer>> other = shape(nodes);
    if (!other.equals(shape)) {
      return false;
    }
    int at = 0;
    for (Step step : steps.values()) {
      step.update(nodes.get(at));
      at++;
    }
    owned.end();
    owned = ownedBy(graph);
    return true;
  }

  /** Of each node its type and the positions of those that it waits for. */
  static List<List<Integer>> shape(List<GraphNode> nodes) {
    List<List<Integer>> shape = new ArrayList<>();
    for (GraphNode node : nodes) {
      List<Integer> one = new ArrayList<>(List.of(node.type()));
      node.dependencies().stream().map(nodes::indexOf).sorted().forEach(one::add);
      shape.add(one);
    }
    return shape;
  }
}
