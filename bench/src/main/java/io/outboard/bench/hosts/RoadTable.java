// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import io.outboard.bench.measure.Median;
import java.io.PrintStream;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Medians of rounds, in Markdown. A ratio or difference is the median of the rounds' own. */
final class RoadTable {
  private final PrintStream out;

  RoadTable(PrintStream out) {
    this.out = out;
  }

  void header() {
    out.println(
        """
        | between the hosts | call: here, µs | here after a pause | session with the other host | \
        joined | joined more | copy there, GB/s | of iperf3 | copy back, GB/s | of iperf3 |
        |---|---|---|---|---|---|---|---|---|---|""");
  }

  void row(Road road, List<RoadRun> runs) {
    out.printf(
        "| %s | %.1f | %.1f | %.1f | %.1f | %+.1f | %.3f | %.0f %% | %.3f | %.0f %% |%n",
        road.name(),
        median(runs, RoadRun::local),
        median(runs, RoadRun::rested),
        median(runs, RoadRun::direct),
        median(runs, RoadRun::joined),
        median(runs, RoadRun::hop),
        median(runs, RoadRun::there),
        100 * median(runs, RoadRun::ofNetworkThere),
        median(runs, RoadRun::back),
        100 * median(runs, RoadRun::ofNetworkBack));
  }

  private static double median(List<RoadRun> runs, ToDoubleFunction<RoadRun> value) {
    return Median.of(runs.stream().mapToDouble(value).toArray());
  }
}
