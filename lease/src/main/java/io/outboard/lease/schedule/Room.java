// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Load;
import io.outboard.lease.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What is given away of each device of a fleet, at one moment. */
final class Room {
  private final Fleet fleet;
  // Of each place; objects would be most of what a decision costs.
  private final int[] shares;
  private final long[] memories;
  private final int[] commons;

  /** All is free. */
  Room(Fleet fleet) {
    this.fleet = fleet;
    this.shares = new int[fleet.size()];
    this.memories = new long[fleet.size()];
    this.commons = new int[fleet.size()];
  }

  private Room(Room like) {
    this.fleet = like.fleet;
    this.shares = like.shares.clone();
    this.memories = like.memories.clone();
    this.commons = like.commons.clone();
  }

  /** The same, which goes its own way from now on. */
  Room copy() {
    return new Room(this);
  }

  /** A lease gives its devices back. */
  void release(LeaseRequest request, int[] places) {
    for (int place : places) {
      Load its = Load.NONE.plus(request, fleet.at(place));
      shares[place] -= its.share();
      memories[place] -= its.memory();
      commons[place] -= its.common();
    }
  }

  private Load load(int place) {
    return new Load(shares[place], memories[place], commons[place]);
  }

  private void take(LeaseRequest request, int place) {
    Load load = load(place).plus(request, fleet.at(place));
    shares[place] = load.share();
    memories[place] = load.memory();
    commons[place] = load.common();
  }

  void take(LeaseRequest request, int[] places) {
    for (int place : places) {
      take(request, place);
    }
  }

  boolean has(LeaseRequest request, int place) {
    return load(place).hasRoom(request, fleet.at(place));
  }

  /** Devices of one node. */
  private record Node(int from, int to, int free, Load first) {}

  /**
   * Chooses devices: of one node, or of as many as the request may have. Those of a node are side
   * by side, the node with most of them first.
   *
   * @param allowed which places may be chosen
   */
  Optional<int[]> choose(LeaseRequest request, IntPredicate allowed) {
    if (request.mostNodes() == 1) {
      return chooseOfOne(request, allowed);
    }
    Optional<int[]> ofOne =
        request.placement() == Placement.PACK ? chooseOfOne(request, allowed) : Optional.empty();
    return ofOne.isPresent() ? ofOne : chooseOfSeveral(request, allowed);
  }

  private Optional<int[]> chooseOfSeveral(LeaseRequest request, IntPredicate allowed) {
    List<Node> nodes = largest(request, allowed);
    List<Integer> free = nodes.stream().map(Node::free).toList();
    Optional<int[]> parts =
        request.placement() == Placement.PACK
            ? NodeParts.few(free, request.gpus(), request.mostNodes())
            : NodeParts.even(free, request.gpus(), request.mostNodes());
    return parts.map(
        of ->
            IntStream.range(0, nodes.size())
                .filter(index -> of[index] > 0)
                .boxed()
                .sorted(Comparator.comparing(index -> -of[index]))
                .flatMapToInt(
                    index -> IntStream.of(chosen(request, allowed, nodes.get(index), of[index])))
                .toArray());
  }

  /** The nodes that have any devices for a request, those with most of them first. */
  private List<Node> largest(LeaseRequest request, IntPredicate allowed) {
    int[] fitting = fleet.fitting(request);
    List<Node> nodes = new ArrayList<>();
    for (int from = 0; from < fitting.length; ) {
      Node node = node(request, allowed, fitting, from);
      if (node.free > 0) {
        nodes.add(node);
      }
      from = node.to;
    }
    nodes.sort(
        Comparator.comparing((Node node) -> -node.free)
            .thenComparing(Node::first, order(request.placement())));
    return nodes;
  }

  private Optional<int[]> chooseOfOne(LeaseRequest request, IntPredicate allowed) {
    Placement how = request.placement();
    Node best = null;
    int[] fitting = fleet.fitting(request);
    for (int from = 0; from < fitting.length; ) {
      Node node = node(request, allowed, fitting, from);
      if (node.free >= request.gpus() && (best == null || isBetter(how, node, best))) {
        best = node;
      }
      from = node.to;
    }
    return Optional.ofNullable(best).map(node -> chosen(request, allowed, node, request.gpus()));
  }

  /** The node at a place of a list. */
  private Node node(LeaseRequest request, IntPredicate allowed, int[] fitting, int from) {
    int free = 0;
    Load first = null;
    int to = from;
    for (; to < fitting.length && fleet.isSameNode(fitting[from], fitting[to]); to++) {
      int place = fitting[to];
      if (has(request, place) && allowed.test(place)) {
        free++;
        Load load = load(place);
        first = first == null || order(request.placement()).compare(load, first) < 0 ? load : first;
      }
    }
    return new Node(from, to, free, first);
  }

  private static boolean isBetter(Placement how, Node node, Node than) {
    int byLoad = order(how).compare(node.first, than.first);
    int byNumber = Integer.compare(node.free, than.free);
    return byLoad < 0 || (byLoad == 0 && (how == Placement.PACK ? byNumber < 0 : byNumber > 0));
  }

  private static Comparator<Load> order(Placement how) {
    return how == Placement.SPREAD ? EMPTIEST : FULLEST;
  }

  private static final Comparator<Load> EMPTIEST =
      Comparator.comparingInt(Load::share).thenComparingLong(Load::memory);
  private static final Comparator<Load> FULLEST = EMPTIEST.reversed();

  private int[] chosen(LeaseRequest request, IntPredicate allowed, Node node, int count) {
    int[] fitting = fleet.fitting(request);
    return IntStream.range(node.from, node.to)
        .map(index -> fitting[index])
        .filter(place -> has(request, place) && allowed.test(place))
        .boxed()
        .sorted(
            Comparator.comparing((Integer place) -> load(place), order(request.placement()))
                .thenComparing(Comparator.naturalOrder()))
        .limit(count)
        .mapToInt(place -> place)
        .toArray();
  }

  /** How many devices could be given to a request, at most, of as many nodes as it may have. */
  int most(LeaseRequest request, IntPredicate allowed) {
    return largest(request, allowed).stream().limit(request.mostNodes()).mapToInt(Node::free).sum();
  }
}
