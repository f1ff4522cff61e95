// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import io.outboard.bench.gpu.run.Run;
import io.outboard.bench.gpu.run.Way;
import io.outboard.bench.measure.Median;
import java.util.List;
import java.util.Optional;

/** Evaluates several runs by the ways that were run. */
final class Ways {
  private Ways() {}

  /** All but the native one, in the order in which they ran. */
  static List<String> compared(List<Run> runs) {
    return runs.stream().map(Run::way).filter(way -> !way.equals(Way.NATIVE)).distinct().toList();
  }

  /** The pieces, in the order in which they ran. */
  static List<String> pieces(List<Run> runs) {
    return runs.stream().map(Run::piece).distinct().toList();
  }

  /** The median of a figure over a way, if a run gave it. */
  static Optional<Double> median(List<Run> runs, String figure, String way) {
    double[] values =
        runs.stream()
            .filter(run -> run.way().equals(way) && run.figures().containsKey(figure))
            .mapToDouble(run -> run.figures().get(figure))
            .toArray();
    return values.length == 0 ? Optional.empty() : Optional.of(Median.of(values));
  }

  /** Returns the note that a run gave instead of a figure, if any. */
  static Optional<String> note(List<Run> runs, String figure, String way) {
    return runs.stream()
        .filter(run -> run.way().equals(way) && run.notes().containsKey(figure))
        .map(run -> run.notes().get(figure))
        .findFirst();
  }

  /** The first run of a piece over a way. */
  static Optional<Run> run(List<Run> runs, String piece, String way) {
    return runs.stream()
        .filter(run -> run.piece().equals(piece) && run.way().equals(way))
        .findFirst();
  }
}
