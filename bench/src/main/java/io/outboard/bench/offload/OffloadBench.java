// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import io.outboard.bench.gpu.link.ShapedLink;
import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Figures;
import io.outboard.bench.measure.Folder;
import io.outboard.bench.measure.GatedProgram;
import io.outboard.bench.measure.Machine;
import io.outboard.bench.measure.Median;
import io.outboard.bench.measure.Programs;
import io.outboard.bench.measure.Rounds;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code outboard bench offload}: calls of offloaded methods over TCP. */
@Command(
    name = "offload",
    mixinStandardHelpOptions = true,
    description = "Measures calls of offloaded methods, and how much of a link they use.")
public final class OffloadBench implements Callable<Integer> {
  /** With its length it is 64 bytes. */
  private static final int SMALL = 60;

  private static final int LARGE = 1 << 20;
  private static final int MANY = 20_000;
  private static final int FEW = 100;
  private static final int MEGABITS = 1_000;
  private static final double ROUND_TRIP_MS = 1;
  private static final int BITS = 8;
  private static final double NANOS = 1e3;

  @Mixin private Rounds rounds;

  @Option(
      names = "--loopback",
      paramLabel = "MBIT",
      description =
          "The kernel lets the loopback pass so many Mbit/s (tc-tbf(8)); no proxy stands for a link.")
  private int loopback;

  private final Path home = Path.of(System.getProperty("outboard.home", ""));
  private final Programs programs = new Programs(home);
  private final List<Double> plain = new ArrayList<>();
  private final List<Double> small = new ArrayList<>();
  private final List<Double> large = new ArrayList<>();
  private final List<Double> shaped = new ArrayList<>();
  private final List<Double> bare = new ArrayList<>();
  private double decision;

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("outboard-offload");
    try {
      decision = Decisions.nanoseconds() / NANOS;
      measure(folder);
    } finally {
      Folder.remove(folder);
    }
    report();
    return 0;
  }

  private void measure(Path folder) throws IOException {
    Path jar = folder.resolve("taker.jar");
    TakerJar.write(jar);
    Path settings =
        Files.writeString(
            folder.resolve("offload.conf"),
            "jars jars\noperator %s\n".formatted(Sha256.of(Files.readAllBytes(jar)).hex()));
    Path token = TokenFile.path(System.getenv());
    List<String> launcher = List.of(home.resolve("outboard").toString());
    try (Backend backend =
            Backend.start(launcher, "software", "127.0.0.1", List.of("--offload=" + settings));
        Narrow calls = narrow(backend.tcp());
        Narrow bytes = narrow(LinkBytes.serve(LARGE))) {
      for (int round = 0; round < rounds.count(); round++) {
        plain.add(
            measured(
                programs.calls(
                    backend.tcp(), List.of("plain", "0", Integer.toString(MANY)), true)));
        small.add(measured(calls(backend.tcp(), token, jar, SMALL, MANY)));
        large.add(measured(calls(backend.tcp(), token, jar, LARGE, FEW)));
        shaped.add(measured(calls(calls.endpoint(), token, jar, LARGE, FEW)));
        bare.add(measured(bytes(bytes.endpoint())));
      }
    }
  }

  /** A server over the narrow link. */
  private interface Narrow extends AutoCloseable {
    String endpoint();

    @Override
    default void close() throws IOException {}
  }

  /** Over the proxy, or as it is where the loopback is narrow already. */
  private Narrow narrow(String endpoint) throws IOException {
    if (loopback > 0) {
      return () -> endpoint;
    }
    ShapedLink link = new ShapedLink(endpoint, ROUND_TRIP_MS, MEGABITS);
    return new Narrow() {
      @Override
      public String endpoint() {
        return link.endpoint();
      }

      @Override
      public void close() throws IOException {
        link.close();
      }
    };
  }

  private GatedProgram bytes(String endpoint) throws IOException {
    return programs.java(
        LinkBytes.class, List.of(endpoint, Integer.toString(LARGE), Integer.toString(FEW)), true);
  }

  private GatedProgram calls(String endpoint, Path token, Path jar, int bytes, int count)
      throws IOException {
    return programs.java(
        OffloadCalls.class,
        List.of(
            endpoint,
            token.toString(),
            jar.toString(),
            Integer.toString(bytes),
            Integer.toString(count)),
        true);
  }

  private static double measured(GatedProgram started) throws IOException {
    try (GatedProgram program = started) {
      Figures figures = program.measure();
      return figures.p50();
    }
  }

  private static double median(List<Double> all) {
    return Median.of(all.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private void report() throws IOException {
    int megabits = loopback > 0 ? loopback : MEGABITS;
    String link =
        loopback > 0
            ? "%d Mbit/s of the kernel's".formatted(loopback)
            : "%d Mbit/s and %.0f ms of the proxy's".formatted(MEGABITS, ROUND_TRIP_MS);
    System.out.printf("%s%n%n", Machine.current());
    System.out.println("| over TCP | µs | beside |");
    System.out.println("|---|---|---|");
    System.out.printf("| plain call, native | %.1f | |%n", median(plain));
    System.out.printf(
        "| offloaded call, 64 bytes | %.1f | %.1f plain calls |%n",
        median(small), median(small) / median(plain));
    System.out.printf(
        "| the same, 1 MiB | %.0f | %.2f GB/s |%n", median(large), LARGE / median(large) / 1e3);
    System.out.printf(
        "| the same at %s | %.0f | %.0f %% of the link |%n",
        link, median(shaped), percent(median(shaped), megabits));
    System.out.printf(
        "| the same bytes and one back there, without Outboard | %.0f | %.0f %% |%n",
        median(bare), percent(median(bare), megabits));
    System.out.printf("| a decision, with what it learns | %.3f | |%n", decision);
  }

  private static double percent(double microseconds, int megabits) {
    return 100.0 * LARGE * BITS / microseconds / megabits;
  }
}
