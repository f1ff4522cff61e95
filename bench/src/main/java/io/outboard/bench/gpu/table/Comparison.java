// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import io.outboard.bench.gpu.run.Way;
import io.outboard.bench.measure.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A figure in several pairs of runs, each pair taken one after the other.
 *
 * @param pairs what both gave; a run whose partner failed is in none
 */
record Comparison(List<Pair> pairs) {
  /** One pair; {@code before} is the native figure. */
  record Pair(double before, double after) {
    double ratio() {
      return after / before;
    }

    double difference() {
      return after - before;
    }
  }

  /** The pairs of a figure over one way. */
  static Comparison of(List<Run> runs, String figure, String way) {
    List<Pair> pairs = new ArrayList<>();
    for (Run ours : runs) {
      if (ours.way().equals(way) && ours.figures().containsKey(figure)) {
        partner(runs, ours, figure)
            .forEach(value -> pairs.add(new Pair(value, ours.figures().get(figure))));
      }
    }
    return new Comparison(pairs);
  }

  private static List<Double> partner(List<Run> runs, Run ours, String figure) {
    return runs.stream()
        .filter(run -> run.way().equals(Way.NATIVE) && run.isPartnerOf(ours))
        .filter(run -> run.figures().containsKey(figure))
        .map(run -> run.figures().get(figure))
        .limit(1)
        .toList();
  }

  private double median(ToDoubleFunction<Pair> of) {
    return Median.of(pairs.stream().mapToDouble(of).toArray());
  }

  /** The median of our figures. */
  double ours() {
    return median(Pair::after);
  }

  /** The median of the native figures. */
  double before() {
    return median(Pair::before);
  }

  /** The median of the pairs' own ratios, ours to native. */
  double ratio() {
    return median(Pair::ratio);
  }

  /** The median of the pairs' own differences. */
  double difference() {
    return median(Pair::difference);
  }

  /** The smallest and the largest ratio. */
  String spread() {
    double least = pairs.stream().mapToDouble(Pair::ratio).min().orElse(Double.NaN);
    double most = pairs.stream().mapToDouble(Pair::ratio).max().orElse(Double.NaN);
    return Numbers.rounded(least) + "–" + Numbers.rounded(most);
  }
}
