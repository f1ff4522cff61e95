// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.jvm;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Figures;
import io.outboard.bench.measure.GatedProgram;
import io.outboard.bench.measure.Machine;
import io.outboard.bench.measure.Median;
import io.outboard.bench.measure.Medium;
import io.outboard.bench.measure.Programs;
import io.outboard.bench.measure.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code outboard bench jvm}: the same calls of a native program and of one on the JVM, in turn.
 */
@Command(
    name = "jvm",
    mixinStandardHelpOptions = true,
    description = "Measures what calls cost a program on the JVM, each beside a native program's.")
public final class JvmBench implements Callable<Integer> {
  /** Those that both clients have. */
  private static final List<Medium> MEDIA = List.of(Medium.UNIX, Medium.TCP);

  private static final List<String> CALLS = List.of("plain", "wait", "posted", "launch");

  private static final int SINGLE = 20_000;
  private static final int BURSTS = 200;

  @Mixin private Rounds rounds;

  private final Path home = Path.of(System.getProperty("outboard.home", ""));

  @Override
  public Integer call() throws IOException, InterruptedException {
    Programs programs = new Programs(home);
    List<String> launcher = List.of(home.resolve("outboard").toString());
    List<String> aside =
        Stream.concat(programs.apart("other").stream(), launcher.stream()).toList();
    System.out.printf("%s%n%n", Machine.current());
    System.out.println("| over | what | native, µs | JVM, µs | JVM, p99 | JVM by native |");
    System.out.println("|---|---|---|---|---|---|");
    try (Backend backend = Backend.start(aside, "software")) {
      for (Medium medium : MEDIA) {
        for (String what : CALLS) {
          row(programs, medium, medium.endpoint(backend), what);
        }
      }
    }
    return 0;
  }

  private void row(Programs programs, Medium medium, String endpoint, String what)
      throws IOException {
    String count = Integer.toString(isBurst(what) ? BURSTS : SINGLE);
    List<String> words = isBurst(what) ? List.of(what, count) : words(what, count);
    List<Figures> natives = new ArrayList<>();
    List<Figures> jvms = new ArrayList<>();
    for (int round = 0; round < rounds.count(); round++) {
      natives.add(measured(programs.calls(endpoint, words, true)));
      jvms.add(measured(programs.java(JvmCalls.class, List.of(endpoint, what, count), true)));
    }
    double ours = median(jvms);
    System.out.printf(
        "| %s | %s | %.2f | %.2f | %.2f | %.2f |%n",
        medium,
        what,
        median(natives),
        ours,
        Median.of(jvms.stream().mapToDouble(Figures::p99).toArray()),
        ours / median(natives));
  }

  private static boolean isBurst(String what) {
    return what.equals("posted") || what.equals("launch");
  }

  /** The native program knows pauses before a plain call. */
  private static List<String> words(String what, String count) {
    return what.equals("plain") ? List.of(what, "0", count) : List.of(what, count);
  }

  private static Figures measured(GatedProgram started) throws IOException {
    try (GatedProgram program = started) {
      return program.measure();
    }
  }

  private static double median(List<Figures> figures) {
    return Median.of(figures.stream().mapToDouble(Figures::p50).toArray());
  }
}
