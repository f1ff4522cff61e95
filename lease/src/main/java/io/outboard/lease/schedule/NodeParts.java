// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import java.util.List;
import java.util.Optional;

/**
 * How many devices of each node a lease has that may have several nodes. The nodes come with the
 * numbers of devices that they have free, the highest first. Each choice finds devices wherever the
 * nodes with most of them have enough.
 */
final class NodeParts {
  private NodeParts() {}

  /** Of as few nodes as possible; the last of them is the smallest one that has the rest. */
  static Optional<int[]> few(List<Integer> free, int wanted, int most) {
    int[] parts = new int[free.size()];
    int left = wanted;
    for (int nodes = 0; nodes < Math.min(most, parts.length) && left > 0; nodes++) {
      int next = next(free, parts, left);
      parts[next] = Math.min(left, free.get(next));
      left -= parts[next];
    }
    return left == 0 ? Optional.of(parts) : Optional.empty();
  }

  /** The smallest unused node that has so many, else the largest. */
  private static int next(List<Integer> free, int[] parts, int wanted) {
    int largest = 0;
    while (parts[largest] > 0) {
      largest++;
    }
    int next = largest;
    for (int node = largest; node < parts.length && free.get(node) >= wanted; node++) {
      next = parts[node] == 0 ? node : next;
    }
    return next;
  }

  /** Of as many nodes as there may be, in parts as equal as these have devices for. */
  static Optional<int[]> even(List<Integer> free, int wanted, int most) {
    int nodes = Math.min(most, free.size());
    if (free.stream().limit(nodes).mapToInt(Integer::intValue).sum() < wanted) {
      return Optional.empty();
    }
    int[] parts = new int[free.size()];
    for (int left = wanted, node = 0; left > 0; node = (node + 1) % nodes) {
      if (parts[node] < free.get(node)) {
        parts[node]++;
        left--;
      }
    }
    return Optional.of(parts);
  }
}
