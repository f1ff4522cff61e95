// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.cut;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Median;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriverRemote;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code outboard bench cuts}: a call is made while the link is cut; it returns so long after the
 * link has come back.
 */
@Command(
    name = "cuts",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how much longer than its network's absence a call takes, of a session that goes on",
      "over another connection. The client is that of programs on the JVM; others try as often."
    })
public final class CutBench implements Callable<Integer> {
  private static final List<ClientLibrary> LIBRARIES = List.of(ClientLibrary.CUDA);
  private static final int SEED = 35;
  private static final int PHASE_MS = 100;
  private static final double MILLI = 1e6;

  @Option(
      names = "--cuts",
      paramLabel = "N",
      defaultValue = "20",
      description = "Default: ${DEFAULT-VALUE}")
  private int cuts;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "How long each is. Default: ${DEFAULT-VALUE}")
  private double seconds;

  private final Random random = new Random(SEED);

  @Override
  public Integer call() throws IOException {
    Path home = Path.of(System.getProperty("outboard.home", ""));
    List<String> launcher = List.of(home.resolve("outboard").toString());
    try (Backend backend = Backend.start(launcher, "software");
        CutLink link = new CutLink(backend.tcp());
        Session session = Session.open(Endpoint.parse(link.endpoint()), LIBRARIES);
        Arena arena = Arena.ofConfined()) {
      CudaDriverRemote driver = new CudaDriverRemote(session);
      long word = arena.allocate(Long.BYTES).address();
      report(measure(link, () -> driver.cuDriverGetVersion(word)));
    }
    return 0;
  }

  private double[] measure(CutLink link, IntSupplier call) throws IOException {
    double[] extra = new double[cuts];
    for (int i = 0; i < cuts; i++) {
      extra[i] = extraMs(link, call);
    }
    return extra;
  }

  /** Cuts do not end in step with the tries. */
  private double extraMs(CutLink link, IntSupplier call) throws IOException {
    long cut = (long) (seconds * 1_000) + random.nextInt(PHASE_MS);
    link.cut();
    CompletableFuture<Long> mended =
        CompletableFuture.supplyAsync(
            () -> mend(link), CompletableFuture.delayedExecutor(cut, TimeUnit.MILLISECONDS));
    succeed(call);
    return (System.nanoTime() - mended.join()) / MILLI;
  }

  private static long mend(CutLink link) {
    link.mend();
    return System.nanoTime();
  }

  private static void succeed(IntSupplier call) throws IOException {
    int result = call.getAsInt();
    if (result != 0) {
      throw new IOException("a call failed: " + result);
    }
  }

  private void report(double[] extra) {
    double[] sorted = extra.clone();
    Arrays.sort(sorted);
    System.out.printf(
        "%d cuts of %.1f s: a call takes %.0f ms longer (median; %.0f to %.0f)%n",
        cuts, seconds, Median.of(extra), sorted[0], sorted[cuts - 1]);
  }
}
