// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With programs that use OpenCL, where the host has a device. */
@Order(1)
final class OpenClKillTest extends Kills {
  private static final String ROUNDS = "5";

  /** More than the silence that a client takes for a loss. */
  private static final Duration LONG_ENOUGH = Patience.of(Duration.ofSeconds(20));

  /** Behind the greeting, and before the program ends. */
  private static final int MOST_WHOLE = 10_000;

  @RegisterExtension
  @Order(1)
  static final BeforeAllCallback POSSIBLE = _ -> HostsOpenCl.assumePresent();

  @RegisterExtension
  @Order(2)
  static final Backend BACKEND = new Backend("opencl", "--grace=0");

  /** Frames whose bits are others: the session ends at most, or its data are wrong. */
  @Test
  void damagedFramesAreTheirOwnSessionsMatter() throws Exception {
    assertTrue(endsWell(BACKEND.tcp(), Patience.LIMIT));
    Leftovers before = Leftovers.ofIdle(BACKEND);
    Random random = new Random(20261121);
    int ended = 0;
    try (Steady other = Steady.start(program(), BACKEND, BACKEND.endpoints().getFirst())) {
      for (int i = 0; i < Amount.of(8, 200); i++) {
        Fault damage = Fault.DAMAGE;
        int whole = random.nextInt(MOST_WHOLE);
        try (Proxy proxy = new Proxy(BACKEND.tcp(), damage, random.nextLong(), whole)) {
          ended += endsWell(proxy.endpoint(), LONG_ENOUGH) ? 0 : 1;
        }
        other.awaitProgress();
      }
      other.finish();
    }
    assertTrue(ended > 0, "nothing was damaged");
    before.awaitSame();
  }

  /**
   * A question may be damaged into one that takes for ever, of very many items: until it is killed.
   */
  private static boolean endsWell(String endpoint, Duration limit) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(Home.PROGRAMS.resolve("steadyOpenCl").toString(), ROUNDS)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Program.setVariables(builder, BACKEND.variables(BACKEND.tcp()));
    builder.environment().put("OUTBOARD", endpoint);
    builder.environment().put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
    Process client = builder.start();
    boolean ended = client.waitFor(limit);
    client.destroyForcibly().waitFor();
    return ended && client.exitValue() == 0;
  }

  @Override
  Backend backend() {
    return BACKEND;
  }

  @Override
  String program() {
    return "steadyOpenCl";
  }
}
