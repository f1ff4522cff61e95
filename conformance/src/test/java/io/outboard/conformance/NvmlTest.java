// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The management library beside CUDA, over every communicator. */
final class NvmlTest {
  private static final String PROGRAM = Home.PROGRAMS.resolve("nvml").toString();
  private static final String DRIVER_NOT_LOADED = "9";

  @RegisterExtension static final Backend BACKEND = new Backend("software:2");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uninitialised",
        "places",
        "topology",
        "same-devices",
        "memory-and-processes",
        "loaded-late",
        "loaded-first",
        "wrong-arguments",
        "latched-elsewhere",
        "events",
        "forked",
        "list",
      })
  void works(String what) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended = Program.run(List.of(PROGRAM, what), BACKEND.variables(endpoint));
      assertTrue(ended.output().endsWith("ok\n"), () -> endpoint + ": " + ended);
      assertEquals(0, ended.status(), () -> endpoint + ": " + ended);
    }
  }

  /** As on a machine without a driver; and one line says why. */
  @Test
  void withoutABackendThereIsNoDriver() throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(
            List.of(PROGRAM, "events"),
            Map.of("OUTBOARD", "unix:/nowhere", "LD_LIBRARY_PATH", Home.LIBRARIES.toString()));
    List<String> lines = ended.errors().lines().toList();
    assertEquals(2, lines.size(), ended::toString);
    assertTrue(lines.getFirst().startsWith("outboard: cannot use the backend unix:/nowhere"));
    assertEquals("nvmlInit_v2: " + DRIVER_NOT_LOADED, lines.getLast());
  }
}
