// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench;

import io.outboard.bench.call.Allocation;
import io.outboard.bench.call.CallCost;
import io.outboard.bench.call.CallCosts;
import io.outboard.bench.call.CopySpeed;
import io.outboard.bench.call.CopySpeeds;
import io.outboard.bench.call.IdleSession;
import io.outboard.bench.call.Report;
import io.outboard.bench.call.StartUp;
import io.outboard.bench.cut.CutBench;
import io.outboard.bench.gpu.GpuBench;
import io.outboard.bench.hosts.HostsBench;
import io.outboard.bench.jvm.JvmBench;
import io.outboard.bench.lease.LeaseBench;
import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Medium;
import io.outboard.bench.measure.Programs;
import io.outboard.bench.measure.Rounds;
import io.outboard.bench.offload.OffloadBench;
import io.outboard.bench.seeds.SeedsBench;
import io.outboard.bench.simulate.SimulateBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code outboard bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {
      GpuBench.class,
      LeaseBench.class,
      CutBench.class,
      HostsBench.class,
      JvmBench.class,
      OffloadBench.class,
      SeedsBench.class,
      SimulateBench.class
    },
    description = {
      "Measures what calls cost on this machine, each medium beside a ping-pong between two C",
      "programs in the same run, how fast copies are beside memcpy, what an idle session costs,",
      "what a call allocates in Java, and how long 'outboard run' takes."
    })
public final class Bench implements Callable<Integer> {
  private static final String SOFTWARE = "software";
  private static final int WIDTH = 100;

  @Mixin private Rounds rounds;

  @Option(names = "--json", paramLabel = "FILE", description = "Also writes every run to FILE.")
  private Path json;

  private final Path home = Path.of(System.getProperty("outboard.home", ""));

  /** Runs it. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Bench())
            .setCommandName("outboard bench")
            .setUsageHelpWidth(WIDTH)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler(Bench::misused)
            .execute(arguments));
  }

  /** As the other commands say it. */
  private static int misused(CommandLine.ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    command.getErr().println("outboard: " + error.getMessage());
    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Report report = new Report(System.out);
    report.machine();
    Programs programs = new Programs(home);
    List<String> launcher = List.of(home.resolve("outboard").toString());
    List<String> aside =
        Stream.concat(programs.apart("other").stream(), launcher.stream()).toList();
    try (Backend apart = Backend.start(aside, SOFTWARE);
        Backend backend = Backend.start(launcher, SOFTWARE)) {
      report.calls(calls(programs, apart, backend));
      report.copies(copies(programs, backend));
      report.idle(new IdleSession(programs, backend).measure());
      report.startUp("against a running backend", startUp(backend.unix()));
      report.startUp("with an embedded backend", startUp(null));
    }
    report.allocation(Allocation.measure());
    if (json != null) {
      report.write(json);
    }
    return 0;
  }

  private List<CallCost> calls(Programs programs, Backend apart, Backend backend)
      throws IOException, InterruptedException {
    List<CallCost> costs = new ArrayList<>();
    for (int round = 0; round < rounds.count(); round++) {
      for (Medium medium : Medium.values()) {
        System.err.printf("outboard: round %d of %d over %s%n", round + 1, rounds.count(), medium);
        costs.addAll(new CallCosts(programs, apart, backend, medium).measure());
      }
    }
    return costs;
  }

  private List<CopySpeed> copies(Programs programs, Backend backend)
      throws IOException, InterruptedException {
    List<CopySpeed> speeds = new ArrayList<>();
    for (int round = 0; round < rounds.count(); round++) {
      for (Medium medium : Medium.values()) {
        speeds.addAll(new CopySpeeds(programs, backend, medium).measure());
      }
    }
    return speeds;
  }

  private List<Double> startUp(String backend) throws IOException, InterruptedException {
    return new StartUp(home, backend).measure(rounds.count());
  }
}
