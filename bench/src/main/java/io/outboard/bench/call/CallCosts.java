// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Figures;
import io.outboard.bench.measure.GatedProgram;
import io.outboard.bench.measure.Medium;
import io.outboard.bench.measure.Programs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Calls beside ping-pongs over one medium. */
public final class CallCosts {
  /** Calls a burst of the program; the program's BURST. */
  private static final int BURST = 500;

  private static final long[] GAPS = {0, 100, 2_000};

  private final Programs programs;
  private final Backend apart;
  private final Backend backend;
  private final Medium medium;

  /**
   * Measures over a medium.
   *
   * @param apart a backend that leaves the callers a processor of their own: for calls back to back
   * @param backend one that runs where the kernel likes: for calls with pauses, in which both sides
   *     sleep
   */
  public CallCosts(Programs programs, Backend apart, Backend backend, Medium medium) {
    this.programs = programs;
    this.apart = apart;
    this.backend = backend;
    this.medium = medium;
  }

  public List<CallCost> measure() throws IOException, InterruptedException {
    List<CallCost> costs = new ArrayList<>();
    for (long gap : GAPS) {
      costs.add(pingPong(gap));
      costs.add(calls("plain", gap, count(gap), 1));
    }
    costs.add(calls("wait", 0, count(0), 1));
    costs.add(calls("posted", 0, 200, BURST));
    return costs;
  }

  /** So that each gap takes about a second. */
  private static int count(long gap) {
    return gap == 0 ? 20_000 : (int) Math.min(5_000, 1_000_000 / gap);
  }

  private CallCost pingPong(long gap) throws IOException, InterruptedException {
    int count = count(gap);
    Figures figures = programs.pingPong(medium, gap, count);
    return cost("pingpong", gap, figures, count, 0);
  }

  private CallCost calls(String what, long gap, int count, int burst)
      throws IOException, InterruptedException {
    List<String> arguments =
        what.equals("plain")
            ? List.of(what, Long.toString(gap), Integer.toString(count))
            : List.of(what, Integer.toString(count));
    Backend its = gap == 0 ? apart : backend;
    try (GatedProgram program = programs.calls(medium.endpoint(its), arguments, gap == 0)) {
      Backend.Clocks before = its.clocks();
      Figures figures = program.measure();
      double used = its.clocks().since(before);
      return cost(what, gap, figures, (long) count * burst, used);
    }
  }

  private CallCost cost(String what, long gap, Figures figures, long calls, double backendCpu) {
    return new CallCost(
        medium,
        what,
        gap,
        figures.p50(),
        figures.p99(),
        figures.cpuSeconds() * 1e6 / calls,
        backendCpu * 1e6 / calls);
  }
}
