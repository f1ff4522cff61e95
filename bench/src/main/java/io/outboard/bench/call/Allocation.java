// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import io.outboard.backend.daemon.SessionHost;
import io.outboard.bench.measure.Median;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Bytes that a call allocates in Java, as JMH's {@code -prof gc} sees them. */
public final class Allocation {
  private static final String BYTES = "gc.alloc.rate.norm";

  private Allocation() {}

  /** Bytes a call, by benchmark. */
  public static Map<String, Double> measure() {
    Map<String, Double> bytes = new TreeMap<>();
    try {
      for (RunResult result : new Runner(options()).run()) {
        bytes.put(result.getParams().getBenchmark().replaceFirst(".*\\.", ""), steadyState(result));
      }
    } catch (RunnerException e) {
      throw new IllegalStateException(e);
    }
    return bytes;
  }

  /** The median of the iterations: the compiler may still be at work in the first. */
  private static double steadyState(RunResult result) {
    return Median.of(
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .mapToDouble(iteration -> iteration.getSecondaryResults().get(BYTES).getScore())
            .toArray());
  }

  /** JMH itself uses what the virtual machine warns about. */
  private static String[] jvmOptions() {
    return Stream.concat(
            SessionHost.jvmOptions().stream(), Stream.of("--sun-misc-unsafe-memory-access=allow"))
        .toArray(String[]::new);
  }

  private static Options options() {
    return new OptionsBuilder()
        .include(SessionBenchmark.class.getName())
        .jvmArgsAppend(jvmOptions())
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .build();
  }
}
