// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A kernel without an end runs until its program is killed, or for as long as a limit says. */
final class EndlessKernelTest {
  @RegisterExtension static final Backend UNLIMITED = new Backend("software", "--grace=0");

  @RegisterExtension static final Backend LIMITED = new Backend("software", "--kernel-limit=1s");

  private static final String STOPPED =
      Pattern.quote(
          "outboard: kernel 'endless' was stopped: it had run for 1 s, for as long as a kernel may"
              + " here (outboard serve --kernel-limit, or OUTBOARD_KERNEL_LIMIT)\n");

  /** For a worker whose kernel ends, so much of a processor is. */
  private static final Duration LONG = Duration.ofSeconds(3);

  private static final String PROGRAM = Home.PROGRAMS.resolve("wrong").toString();

  @Test
  void withALimitItIsAnErrorWithALine() throws Exception {
    for (String endpoint : LIMITED.endpoints()) {
      Program.Ended ended = Program.run(List.of(PROGRAM, "endless"), LIMITED.variables(endpoint));
      assertEquals("702", ended.output().strip(), () -> endpoint + ": " + ended);
      assertTrue(ended.errors().matches(STOPPED), ended::toString);
    }
  }

  private static boolean worksForLong(ProcessHandle worker) {
    return worker
        .info()
        .totalCpuDuration()
        .filter(worked -> worked.compareTo(LONG) > 0)
        .isPresent();
  }

  /** One that proves no token, as its backend takes it for a neighbour. */
  @Test
  @Tag("long")
  void aBackendBehindATunnelIsNotSilentMeanwhile() throws Exception {
    Backend backend = new Backend("software", "--kernel-limit=18s");
    backend.beforeAll(null);
    try {
      Map<String, String> variables =
          new HashMap<>(backend.variables("tunnel:" + backend.socket()));
      variables.remove("OUTBOARD_TOKEN");
      Program.Ended ended = Program.run(List.of(PROGRAM, "endless"), variables);
      assertEquals(1, ended.errors().lines().count(), ended::toString);
      assertTrue(ended.errors().contains("it had run for 18 s"), ended::toString);
    } finally {
      backend.afterAll(null);
    }
  }

  @Test
  void withoutALimitItRunsUntilItsProgramIsKilledAndNothingIsLeft() throws Exception {
    Leftovers before = Leftovers.ofIdle(UNLIMITED);
    for (String endpoint : UNLIMITED.endpoints()) {
      ProcessBuilder builder = new ProcessBuilder(PROGRAM, "endless-told");
      Program.setVariables(builder, UNLIMITED.variables(endpoint));
      Process program = builder.start();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
        assertEquals("running", lines.readLine(), endpoint);
        ProcessHandle worker = UNLIMITED.worker(program.toHandle());
        Patience.until("its kernel works for long", () -> worksForLong(worker));
        assertTrue(program.isAlive(), "it ended by itself: " + endpoint);
      } finally {
        program.destroyForcibly().waitFor();
      }
    }
    before.awaitSame();
  }
}
