// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Median;
import io.outboard.bench.measure.Programs;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Copies from one joined host to another: by way of the first host, and over a link of both. */
final class LinkBench {
  private static final String FROM = "1";
  private static final String TO = "2";

  /** On the network of the first host, and on that of the other. */
  private static final String EVERYWHERE = "0.0.0.0";

  private final Programs programs;
  private final List<String> launcher;
  private final int rounds;
  private final int seconds;

  LinkBench(Programs programs, List<String> launcher, int rounds, int seconds) {
    this.programs = programs;
    this.launcher = launcher;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  /** GB/s. */
  private record Run(double through, double linked, double carried) {
    double ofNetworkThrough() {
      return through / carried;
    }

    double ofNetworkLinked() {
      return linked / carried;
    }
  }

  /** Prints a table: a network of full speed, then of each rate in Gbit/s. */
  void print(PrintStream out, List<Integer> rates) throws IOException, InterruptedException {
    out.println(
        """

        | between all hosts | copy through the first, GB/s | of iperf3 | over a link, GB/s | of iperf3 |
        |---|---|---|---|---|""");
    List<Road> roads = new ArrayList<>(List.of(Road.unshaped()));
    rates.forEach(rate -> roads.add(Road.narrow(rate)));
    for (Road road : roads) {
      row(out, road, measure(road));
    }
  }

  private static void row(PrintStream out, Road road, List<Run> runs) {
    out.printf(
        "| %s | %.3f | %.0f %% | %.3f | %.0f %% |%n",
        road.name(),
        median(runs, Run::through),
        100 * median(runs, Run::ofNetworkThrough),
        median(runs, Run::linked),
        100 * median(runs, Run::ofNetworkLinked));
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> value) {
    return Median.of(runs.stream().mapToDouble(value).toArray());
  }

  private List<Run> measure(Road road) throws IOException, InterruptedException {
    try (FarHost from = FarHost.open(0);
        FarHost to = FarHost.open(1)) {
      from.limit(road.megabits());
      to.limit(road.megabits());
      String address = from.linkTo(to, road.megabits());
      try (Backend far = start(to, List.of())) {
        String direct = "tcp://" + address + ":" + port(far);
        return measure(road, from, to, far, direct);
      }
    }
  }

  private List<Run> measure(Road road, FarHost from, FarHost to, Backend far, String direct)
      throws IOException, InterruptedException {
    String there = "--join=tcp://" + to.address() + ":" + port(far);
    try (Backend plain = start(from, List.of());
        Backend linking = start(from, List.of("--copy-to=" + direct));
        Backend through = near(List.of(join(from, plain), there));
        Backend linked = near(List.of(join(from, linking), there))) {
      String iperf = direct.replaceFirst("[0-9]+$", Integer.toString(Carried.PORT));
      Carried carried = new Carried(from.prefix(), to, iperf, seconds);
      List<Run> runs = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        System.err.printf("outboard: links, %s, round %d of %d%n", road.name(), round + 1, rounds);
        runs.add(new Run(copies(through), copies(linked), carried.there()));
      }
      return runs;
    }
  }

  private double copies(Backend near) throws IOException, InterruptedException {
    return programs.copiesBetween(near.shm(), FROM, TO, Integer.toString(seconds));
  }

  private static String join(FarHost host, Backend backend) {
    return "--join=tcp://" + host.address() + ":" + port(backend);
  }

  private static int port(Backend backend) {
    return URI.create(backend.tcp()).getPort();
  }

  private Backend start(FarHost host, List<String> more) throws IOException {
    List<String> options = new ArrayList<>(HostsBench.OPTIONS);
    options.addAll(more);
    return Backend.start(host.command(launcher), HostsBench.DEVICE, EVERYWHERE, options);
  }

  private Backend near(List<String> joins) throws IOException {
    return Backend.start(launcher, HostsBench.DEVICE, "127.0.0.1", joins);
  }
}
