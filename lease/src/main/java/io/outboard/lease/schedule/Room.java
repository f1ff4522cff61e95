// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Load;
import io.outboard.lease.Placement;
import java.util.Comparator;
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
   * Chooses devices of one node.
   *
   * @param allowed which places may be chosen
   */
  Optional<int[]> choose(LeaseRequest request, IntPredicate allowed) {
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
    return Optional.ofNullable(best).map(node -> chosen(request, allowed, fitting, node));
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

  private int[] chosen(LeaseRequest request, IntPredicate allowed, int[] fitting, Node node) {
    return IntStream.range(node.from, node.to)
        .map(index -> fitting[index])
        .filter(place -> has(request, place) && allowed.test(place))
        .boxed()
        .sorted(
            Comparator.comparing((Integer place) -> load(place), order(request.placement()))
                .thenComparing(Comparator.naturalOrder()))
        .limit(request.gpus())
        .mapToInt(place -> place)
        .toArray();
  }

  /** How many devices a node has that could be given to a request, at most. */
  int most(LeaseRequest request, IntPredicate allowed) {
    int most = 0;
    int[] fitting = fleet.fitting(request);
    for (int from = 0; from < fitting.length; ) {
      Node node = node(request, allowed, fitting, from);
      most = Math.max(most, node.free);
      from = node.to;
    }
    return most;
  }
}
