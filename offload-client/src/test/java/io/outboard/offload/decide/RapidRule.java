// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * The rule of the RAPID project (rapid-linux, class DSE), after its description: a method without a
 * remote run goes there; after ten runs on one side the next one is on the other; else the means of
 * earlier runs are compared, the remote one half of recent runs and half of those at the nearest
 * rates. Sizes have no part in it.
 */
final class RapidRule {
  private static final double LEAST_RATE = 256_000;
  private static final int IN_A_ROW = 10;
  private static final int KEPT = 50;

  private final Deque<Remote> remotes = new ArrayDeque<>();
  private double local;
  private double recent;
  private boolean lastRemote;
  private int row;

  private record Remote(double rate, double taken) {}

  /** A call over a link of so many bits a second; returns what it took. */
  double call(double rate, double here, double there) {
    boolean remote = isRemote(rate);
    row = remote == lastRemote ? row + 1 : 1;
    lastRemote = remote;
    if (!remote) {
      local = local == 0 ? here : (local + here) / 2;
      return here;
    }
    recent = recent == 0 ? there : (recent + there) / 2;
    remotes.addLast(new Remote(rate, there));
    if (remotes.size() > KEPT) {
      remotes.removeFirst();
    }
    return there;
  }

  private boolean isRemote(double rate) {
    if (remotes.isEmpty()) {
      return rate > LEAST_RATE;
    }
    if (row >= IN_A_ROW) {
      return !lastRemote && rate > LEAST_RATE;
    }
    return (recent + nearest(rate)) / 2 <= local;
  }

  private double nearest(double rate) {
    List<Remote> all =
        remotes.stream()
            .sorted(Comparator.comparingDouble(one -> Math.abs(one.rate - rate)))
            .limit(3)
            .toList();
    double first = all.getFirst().taken;
    double second = all.get(Math.min(1, all.size() - 1)).taken;
    return ((all.getLast().taken + second) / 2 + first) / 2;
  }
}
