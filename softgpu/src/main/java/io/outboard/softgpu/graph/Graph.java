// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Condition;
import io.outboard.softgpu.device.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A graph of work. */
public final class Graph extends Handled {
  private final Set<GraphNode> nodes = new LinkedHashSet<>();

  /** The originals of its nodes, where it is a copy. */
  private final Map<GraphNode, GraphNode> copies = new HashMap<>();

  private final OwnedObjects owned = new OwnedObjects();
  private final List<Condition> conditions = new ArrayList<>();
  private volatile boolean isInside;

  /** The program's objects that it owns itself. */
  public OwnedObjects owned() {
    return owned;
  }

  /** It has ended, with the graphs that its nodes run. */
  public void endOwned() {
    owned.end();
    forEach(node -> node.inner().all().forEach(graph -> graph.owned.end()));
  }

  /** Has a condition, as long as it is there. */
  public synchronized void add(Condition condition) {
    conditions.add(condition);
  }

  synchronized List<Condition> conditions() {
    return List.copyOf(conditions);
  }

  /** Whether a node of another graph runs it. */
  public boolean isInside() {
    return isInside;
  }

  /** A node of another graph runs it from now on. */
  void enter() {
    isInside = true;
  }

  /** Its nodes in the order in which they were added. */
  public synchronized List<GraphNode> nodes() {
    return List.copyOf(nodes);
  }

  /** An edge: the second waits for the first. */
  public record Edge(GraphNode from, GraphNode to) {}

  public synchronized List<Edge> edges() {
    List<Edge> edges = new ArrayList<>();
    for (GraphNode to : nodes) {
      to.dependencies().forEach(from -> edges.add(new Edge(from, to)));
    }
    return edges;
  }

  /** Adds a node behind others, which are in this graph. */
  public synchronized GraphNode add(Operation operation, Collection<GraphNode> dependencies) {
    GraphNode node = new GraphNode(this, operation);
    node.dependencies().addAll(dependencies);
    nodes.add(node);
    return node;
  }

  /** Takes a node out, with its edges. */
  public synchronized void remove(GraphNode node) {
    nodes.remove(node);
    nodes.forEach(other -> other.dependencies().remove(node));
  }

  /** Adds an edge; false if it is there already, or would close a circle. */
  public synchronized boolean connect(GraphNode from, GraphNode to) {
    return !reaches(to, from) && to.dependencies().add(from);
  }

  /** Takes an edge out; false if there is none. */
  public synchronized boolean disconnect(GraphNode from, GraphNode to) {
    return to.dependencies().remove(from);
  }

  /** Whether one node is another one, or is done before it. */
  synchronized boolean reaches(GraphNode first, GraphNode last) {
    Set<GraphNode> before = new LinkedHashSet<>(Set.of(last));
    List<GraphNode> open = new ArrayList<>(before);
    while (!open.isEmpty()) {
      for (GraphNode dependency : open.removeLast().dependencies()) {
        if (before.add(dependency)) {
          open.add(dependency);
        }
      }
    }
    return before.contains(first);
  }

  /** The nodes that wait for a node. */
  public synchronized List<GraphNode> dependents(GraphNode node) {
    return nodes.stream().filter(other -> other.dependencies().contains(node)).toList();
  }

  /** Its nodes in an order in which they can be done. */
  synchronized List<GraphNode> sorted() {
    Set<GraphNode> done = new LinkedHashSet<>();
    while (done.size() < nodes.size()) {
      for (GraphNode node : nodes) {
        if (done.containsAll(node.dependencies())) {
          done.add(node);
        }
      }
    }
    return List.copyOf(done);
  }

  /** A copy with nodes of its own, which have no handles yet. */
  public synchronized Graph copy() {
    Graph copy = new Graph();
    for (GraphNode node : sorted()) {
      List<GraphNode> dependencies = node.dependencies().stream().map(copy.copies::get).toList();
      GraphNode made = copy.add(node.operation(), dependencies);
      made.description(node.description());
      made.attributes().copy(node.attributes());
      made.inner(node.inner().copy());
      copy.copies.put(node, made);
    }
    copy.owned.addAllOf(owned);
    copy.conditions.addAll(conditions);
    return copy;
  }

  /** The copy here of a node of another graph; null if there is none. */
  public synchronized GraphNode copyOf(GraphNode original) {
    GraphNode copy = copies.get(original);
    return nodes.contains(copy) ? copy : null;
  }

  /** Visits the nodes, and those of the graphs that they run. */
  public void forEach(Consumer<GraphNode> visitor) {
    for (GraphNode node : nodes()) {
      visitor.accept(node);
      node.inner().all().forEach(graph -> graph.forEach(visitor));
    }
  }

  /** Its nodes, and those of the graphs that they run. */
  public List<GraphNode> allNodes() {
    List<GraphNode> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }

  /** All of it as one piece of work, as it is now. */
  public Operation operation() {
    return new GraphOperation(sorted().stream().map(GraphNode::operation).toList());
  }
}
