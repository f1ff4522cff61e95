// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Load;
import io.outboard.lease.Placement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What is given away of each device of a fleet, at one moment. */
final class Room {
  private final Fleet fleet;
  private final Load[] loads;

  /** All is free but what these have. */
  Room(Fleet fleet, List<Lease> holding) {
    this.fleet = fleet;
    this.loads = new Load[fleet.size()];
    Arrays.fill(loads, Load.NONE);
    holding.forEach(this::take);
  }

  private void take(Lease lease) {
    for (Gpu gpu : lease.gpus()) {
      fleet.place(gpu).ifPresent(place -> take(lease.request(), place));
    }
  }

  private void take(LeaseRequest request, int place) {
    loads[place] = loads[place].plus(request, fleet.at(place));
  }

  void take(LeaseRequest request, int[] places) {
    for (int place : places) {
      take(request, place);
    }
  }

  boolean has(LeaseRequest request, int place) {
    return loads[place].hasRoom(request, fleet.at(place));
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
        Load load = loads[place];
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
            Comparator.comparing((Integer place) -> loads[place], order(request.placement()))
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
