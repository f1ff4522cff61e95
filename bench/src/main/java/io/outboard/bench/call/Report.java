// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.bench.measure.Machine;
import io.outboard.bench.measure.Median;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The tables that the benchmark prints, in Markdown, and all runs as JSON. */
public final class Report {
  private final PrintStream out;
  private final Map<String, Object> all = new LinkedHashMap<>();

  public Report(PrintStream out) {
    this.out = out;
  }

  /** Writes the machine and the date of the measurement. */
  public void machine() throws IOException {
    Machine machine = Machine.current();
    out.printf("%s%n%n", machine);
    all.put("machine", machine);
  }

  /** Medians over rounds; a call's difference is the median of the rounds' own differences. */
  public void calls(List<CallCost> costs) {
    all.put("calls", costs);
    out.println(
        """
        | over | what | pause before, µs | p50, µs | p99, µs | more than ping-pong, µs | CPU caller, µs | CPU backend, µs |
        |---|---|---|---|---|---|---|---|""");
    Map<String, List<CallCost>> series =
        costs.stream()
            .collect(
                Collectors.groupingBy(CallCost::series, LinkedHashMap::new, Collectors.toList()));
    series.forEach((name, rounds) -> row(rounds, series.get(base(rounds.getFirst()))));
    out.println();
  }

  private static String base(CallCost cost) {
    return cost.medium() + " pingpong " + cost.gapMicroseconds();
  }

  private void row(List<CallCost> rounds, List<CallCost> base) {
    CallCost first = rounds.getFirst();
    out.printf(
        "| %s | %s | %d | %.2f | %.2f | %s | %.2f | %.2f |%n",
        first.medium(),
        first.what(),
        first.gapMicroseconds(),
        median(rounds, CallCost::p50),
        median(rounds, CallCost::p99),
        first.what().equals("plain") ? "%+.2f".formatted(difference(rounds, base)) : "",
        median(rounds, CallCost::clientCpu),
        median(rounds, CallCost::backendCpu));
  }

  private static double difference(List<CallCost> rounds, List<CallCost> base) {
    double[] differences = new double[rounds.size()];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = rounds.get(i).p50() - base.get(i).p50();
    }
    return Median.of(differences);
  }

  private static double median(List<CallCost> costs, ToDoubleFunction<CallCost> value) {
    return Median.of(costs.stream().mapToDouble(value).toArray());
  }

  /** Medians over rounds. */
  public void copies(List<CopySpeed> speeds) {
    all.put("copies", speeds);
    out.println(
        """
        | over | copy of 64 MiB | GB/s | memcpy, GB/s | of memcpy |
        |---|---|---|---|---|""");
    speeds.stream()
        .collect(Collectors.groupingBy(CopySpeed::series, LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(this::row);
    out.println();
  }

  private void row(List<CopySpeed> rounds) {
    CopySpeed first = rounds.getFirst();
    out.printf(
        "| %s | %s | %.2f | %.2f | %.0f %% |%n",
        first.medium(),
        first.what(),
        Median.of(rounds.stream().mapToDouble(CopySpeed::speed).toArray()),
        Median.of(rounds.stream().mapToDouble(CopySpeed::memcpy).toArray()),
        100 * Median.of(rounds.stream().mapToDouble(CopySpeed::ratio).toArray()));
  }

  public void idle(IdleSession.Load load) {
    all.put("idle", load);
    out.printf(
        "An idle session uses %.3f %% of a core in the program and %.3f %% in the backend.%n",
        100 * load.client(), 100 * load.backend());
  }

  public void startUp(String how, List<Double> seconds) {
    all.put("vectorAdd " + how, seconds);
    out.printf(
        "'outboard run' of vectorAdd %s: %.2f s (median of %d).%n",
        how, Median.of(toArray(seconds)), seconds.size());
  }

  public void allocation(Map<String, Double> bytes) {
    all.put("allocated", bytes);
    bytes.forEach(
        (name, each) ->
            out.printf("A %s call allocates %.3f bytes in client and worker.%n", name, each));
  }

  private static double[] toArray(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  public void write(Path json) throws IOException {
    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), all);
  }
}
