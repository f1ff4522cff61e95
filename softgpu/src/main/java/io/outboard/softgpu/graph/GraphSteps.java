// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The work of a graph in an executable, and of the graphs in it. Guarded by the executable, which
 * later changes of the graph do not change.
 */
final class GraphSteps {
  private final Map<GraphNode, Step> steps = new LinkedHashMap<>();
  private List<Condition> conditions;
  private OwnedObjects owned;

  /** The work of one node. */
  private static final class Step {
    private final List<GraphSteps> graphs;
    private InnerGraphs inner;
    private Operation operation;
    private boolean enabled = true;

    Step(GraphNode node) {
      inner = node.inner();
      operation = node.operation();
      graphs = inner.all().stream().map(GraphSteps::new).toList();
    }

    Operation now() {
      return graphs.isEmpty()
          ? operation
          : inner.operation(graphs.stream().map(GraphSteps::operation).toList());
    }

    void update(GraphNode node) {
      inner = node.inner();
      operation = node.operation();
      for (int i = 0; i < graphs.size(); i++) {
        graphs.get(i).update(inner.all().get(i));
      }
    }
  }

  GraphSteps(Graph graph) {
    graph.sorted().forEach(node -> steps.put(node, new Step(node)));
    conditions = graph.conditions();
    owned = ownedBy(graph);
  }

  private static OwnedObjects ownedBy(Graph graph) {
    OwnedObjects owned = new OwnedObjects();
    owned.addAllOf(graph.owned());
    return owned;
  }

  /** Whether a node is one of its, or of a graph in it. */
  boolean has(GraphNode node) {
    return find(node) != null;
  }

  private Step find(GraphNode node) {
    Step found = steps.get(node);
    for (Step step : steps.values()) {
      for (GraphSteps graph : step.graphs) {
        found = found == null ? graph.find(node) : found;
      }
    }
    return found;
  }

  void operation(GraphNode node, Operation operation) {
    find(node).operation = operation;
  }

  boolean isEnabled(GraphNode node) {
    return find(node).enabled;
  }

  void enable(GraphNode node, boolean enabled) {
    find(node).enabled = enabled;
  }

  /** Takes over the work of a graph that has the shape of this one. */
  void update(Graph graph) {
    List<GraphNode> nodes = graph.sorted();
    int at = 0;
    for (Step step : steps.values()) {
      step.update(nodes.get(at++));
    }
    conditions = graph.conditions();
    owned.end();
    owned = ownedBy(graph);
  }

  /** Has a node that is a graph take over the work of another one of its shape. */
  void update(GraphNode node, Graph graph) {
    find(node).graphs.getFirst().update(graph);
  }

  /** Visits this, and the graphs in it. */
  private void forEach(Consumer<GraphSteps> visitor) {
    visitor.accept(this);
    steps.values().forEach(step -> step.graphs.forEach(graph -> graph.forEach(visitor)));
  }

  /** All that this and the graphs in it own. */
  List<OwnedObjects> allOwned() {
    List<OwnedObjects> all = new ArrayList<>();
    forEach(graph -> all.add(graph.owned));
    all.removeIf(OwnedObjects::isEmpty);
    return all;
  }

  /** The conditions of this and of the graphs in it. */
  List<Condition> allConditions() {
    List<Condition> all = new ArrayList<>();
    forEach(graph -> all.addAll(graph.conditions));
    return all;
  }

  /** The work of all nodes, those of the graphs in it included. */
  List<Operation> work() {
    List<Operation> all = new ArrayList<>();
    forEach(graph -> graph.steps.values().forEach(step -> all.add(step.operation)));
    return all;
  }

  /** The work of a launch now. */
  Operation operation() {
    return new GraphOperation(
        steps.values().stream().filter(step -> step.enabled).map(Step::now).toList());
  }
}
