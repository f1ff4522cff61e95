// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How long {@code outboard run} takes for a small program. */
public final class StartUp {
  private final Path home;
  private final String backend;

  /** {@code backend} null: an embedded one. */
  public StartUp(Path home, String backend) {
    this.home = home;
    this.backend = backend;
  }

  /** Seconds of each run, after one that does not count. */
  public List<Double> measure(int runs) throws IOException, InterruptedException {
    run();
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      // A pooled worker is there for each.
      Thread.sleep(1_500);
      seconds.add(run());
    }
    return seconds;
  }

  private double run() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("outboard").toString(), "run"));
    command.add(backend == null ? "--device=software" : "--on=" + backend);
    command.add("--");
    command.add(home.resolve("examples/target/driver/vectorAdd").toString());
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("vectorAdd failed");
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
