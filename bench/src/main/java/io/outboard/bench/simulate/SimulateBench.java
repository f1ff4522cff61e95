// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.simulate;

import io.outboard.api.usage.Plot;
import io.outboard.lease.schedule.Scheduling;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard bench simulate}. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the scheduler of leases in virtual time, with jobs as the Helios traces have them, beside",
      "first come, first served; then measures what a decision costs as the pool grows."
    })
public final class SimulateBench implements Callable<Integer> {
  private static final double LONGEST_WAIT = 86_400;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many, eight a node. Default: ${DEFAULT-VALUE}")
  private int gpus;

  @Option(
      names = "--load",
      paramLabel = "X",
      defaultValue = "0.95",
      description = "The part of the GPUs that jobs want on the average. Default: ${DEFAULT-VALUE}")
  private double load;

  @Option(
      names = "--hours",
      paramLabel = "N",
      defaultValue = "48",
      description = "Virtual time; jobs of its second half count. Default: ${DEFAULT-VALUE}")
  private int hours;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the jobs. Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(
      names = "--guaranteed",
      paramLabel = "X",
      defaultValue = "0",
      description = {
        "The part of the jobs that is guaranteed, whose leases are to be granted within --within.",
        "Default: ${DEFAULT-VALUE}"
      })
  private double guaranteed;

  @Option(
      names = "--within",
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "The time in which those are to be granted. Default: ${DEFAULT-VALUE}")
  private int within;

  @Option(
      names = "--plots",
      paramLabel = "FOLDER",
      description = "Also draws pool-use.svg, pool-waits.svg and pool-decisions.svg there.")
  private Path plots;

  private final PrintStream out = System.out;

  @Override
  public Integer call() throws IOException {
    Duration length = Duration.ofHours(hours);
    List<Arrivals.Job> jobs = Arrivals.draw(seed, Simulation.BEGIN, length, gpus, load, guaranteed);
    out.printf(
        "%d GPUs, %d nodes, %d jobs in %d h of virtual time, seed %d%n",
        gpus, gpus / 8, jobs.size(), hours, seed);
    Map<String, Scheduler> schedulers = new LinkedHashMap<>();
    schedulers.put("the scheduler", situation -> Scheduling.decide(situation).grants());
    schedulers.put("first come, first served", new FirstComeFirstServed());
    Map<String, Simulation.Result> results = new LinkedHashMap<>();
    schedulers.forEach(
        (name, scheduler) -> {
          Simulation.Result result =
              new Simulation(gpus, Duration.ofSeconds(within), scheduler)
                  .run(jobs, length.dividedBy(2));
          results.put(name, result);
          tell(name, result);
        });
    List<Growth.Point> growth =
        IntStream.of(10_000, 100, 300, 1_000, 3_000, 10_000)
            .mapToObj(Growth::measure)
            .skip(1)
            .toList();
    growth.forEach(
        point ->
            out.printf(
                "%6d GPUs, %7d leases, 1000 wait: a decision %.2f ms, memory %.1f MiB%n",
                point.gpus(), point.leases(), point.milliseconds(), point.mebibytes()));
    if (plots != null) {
      draw(results, growth);
    }
    return 0;
  }

  private void tell(String name, Simulation.Result result) {
    List<Double> used = result.used().subList(result.used().size() / 2, result.used().size());
    List<Double> waits = sorted(result.waits());
    tellGuaranteed(result.guaranteed());
    List<Long> decisions = new ArrayList<>(result.decisions());
    Collections.sort(decisions);
    out.printf(
        "%s: %.1f %% of the GPUs leased; jobs waited %.0f s on the average, %.0f s the median,"
            + " %.0f s p95, %.0f s the longest%n",
        name, 100 * mean(used), mean(waits), at(waits, 0.5), at(waits, 0.95), waits.getLast());
    out.printf(
        "  %d decisions, %.2f ms the median, %.2f ms p99%n",
        decisions.size(), at(decisions, 0.5) / 1e6, at(decisions, 0.99) / 1e6);
  }

  private void tellGuaranteed(List<Double> waits) {
    if (!waits.isEmpty()) {
      long met = waits.stream().filter(waited -> waited <= within).count();
      out.printf(
          "  %d guaranteed ones: %.2f %% within %d s, the longest wait %.0f s%n",
          waits.size(), 100.0 * met / waits.size(), within, sorted(waits).getLast());
    }
  }

  private static List<Double> sorted(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  private static <T> T at(List<T> sorted, double part) {
    return sorted.get((int) (part * (sorted.size() - 1)));
  }

  private void draw(Map<String, Simulation.Result> results, List<Growth.Point> growth)
      throws IOException {
    Plot use =
        new Plot(
            "GPUs that are leased",
            new Plot.Axis("hours", 0, hours, false),
            new Plot.Axis("per cent", 0, 100, false));
    Plot waits =
        new Plot(
            "Jobs that have waited no longer",
            new Plot.Axis("seconds", 1, LONGEST_WAIT, true),
            new Plot.Axis("per cent", 0, 100, false));
    results.forEach(
        (name, result) -> {
          use.line(name, over(result.used()));
          waits.line(name, shares(sorted(result.waits())));
        });
    Plot decisions =
        new Plot(
            "A decision, with ten leases a GPU and 1,000 that wait",
            new Plot.Axis("leases", 1_000, 100_000, true),
            new Plot.Axis("milliseconds, MiB", 0.1, 1_000, true));
    decisions.line(
        "time of a decision, ms",
        growth.stream().map(one -> new Plot.Point(one.leases(), one.milliseconds())).toList());
    decisions.line(
        "memory of the leases, MiB",
        growth.stream().map(one -> new Plot.Point(one.leases(), one.mebibytes())).toList());
    Files.writeString(plots.resolve("pool-use.svg"), use.svg());
    Files.writeString(plots.resolve("pool-waits.svg"), waits.svg());
    Files.writeString(plots.resolve("pool-decisions.svg"), decisions.svg());
  }

  private static List<Plot.Point> over(List<Double> used) {
    return IntStream.range(0, used.size())
        .mapToObj(i -> new Plot.Point(i / 6.0, 100 * used.get(i)))
        .toList();
  }

  private static List<Plot.Point> shares(List<Double> sorted) {
    return IntStream.rangeClosed(0, 200)
        .mapToObj(i -> new Plot.Point(Math.max(1, at(sorted, i / 200.0)), i / 2.0))
        .toList();
  }
}
