// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import io.outboard.bench.gpu.link.ShapedLink;
import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Machine;
import io.outboard.bench.measure.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard bench hosts}. */
@Command(
    name = "hosts",
    mixinStandardHelpOptions = true,
    description = {
      "Measures calls to the device of a joined host beside those of a session with it alone, and",
      "copies between two hosts beside iperf3, over a link of full speed, of two rates (tc tbf) and",
      "of three delays (a proxy); then copies between two joined hosts. The other hosts are network",
      "namespaces: it wants root, ip, tc and iperf3."
    })
public final class HostsBench implements Callable<Integer> {
  static final String DEVICE = "software";

  /** Nobody else is on that network. */
  static final List<String> OPTIONS = List.of("--insecure-tcp");

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "Of each measurement. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--rates",
      split = ",",
      defaultValue = "10,1",
      description = "Gbit/s. Default: ${DEFAULT-VALUE}")
  private List<Integer> rates;

  @Option(
      names = "--delays",
      split = ",",
      defaultValue = "0.1,1,10",
      description = "Round trips in milliseconds. Default: ${DEFAULT-VALUE}")
  private List<Double> delays;

  @Option(names = "--links", description = "Copies between two joined hosts alone.")
  private boolean linksAlone;

  private final Path home = Path.of(System.getProperty("outboard.home", ""));
  private final Programs programs = new Programs(home);
  private final List<String> launcher = List.of(home.resolve("outboard").toString());

  @Override
  public Integer call() throws IOException, InterruptedException {
    System.out.printf("%s%n%n", Machine.current());
    if (!linksAlone) {
      printRoads();
    }
    new LinkBench(programs, launcher, rounds, seconds).print(System.out, rates);
    return 0;
  }

  private void printRoads() throws IOException, InterruptedException {
    RoadTable table = new RoadTable(System.out);
    table.header();
    try (FarHost host = FarHost.open(0);
        Backend far = Backend.start(host.command(launcher), DEVICE, host.address(), OPTIONS)) {
      for (Road road : roads()) {
        host.limit(road.megabits());
        table.row(road, measure(road, host, far));
      }
    }
  }

  private List<Road> roads() {
    List<Road> roads = new ArrayList<>(List.of(Road.unshaped()));
    rates.forEach(rate -> roads.add(Road.narrow(rate)));
    delays.forEach(delay -> roads.add(Road.distant(delay)));
    return roads;
  }

  private List<RoadRun> measure(Road road, FarHost host, Backend far)
      throws IOException, InterruptedException {
    String iperf = "tcp://" + host.address() + ":" + Carried.PORT;
    if (road.roundTripMs() == 0) {
      return measure(road, host, far.tcp(), iperf);
    }
    try (ShapedLink sessions = new ShapedLink(far.tcp(), road.roundTripMs(), 0);
        ShapedLink bytes = new ShapedLink(iperf, road.roundTripMs(), 0)) {
      return measure(road, host, sessions.endpoint(), bytes.endpoint());
    }
  }

  private List<RoadRun> measure(Road road, FarHost host, String far, String iperf)
      throws IOException, InterruptedException {
    List<RoadRun> runs = new ArrayList<>();
    try (Backend near = Backend.start(launcher, DEVICE, "127.0.0.1", List.of("--join=" + far))) {
      RoadRuns measured =
          new RoadRuns(programs, near, far, new Carried(host, iperf, seconds), seconds);
      for (int round = 0; round < rounds; round++) {
        System.err.printf("outboard: %s, round %d of %d%n", road.name(), round + 1, rounds);
        runs.add(measured.measure());
      }
    }
    return runs;
  }
}
