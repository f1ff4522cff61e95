// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways in which a program comes by the driver, and what forks of it may do. */
final class LoadingTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "reopened",
        "opened-locally",
        "opened-by-a-thread",
        "forked-before",
        "forked-after",
      })
  void loads(String what) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      runs(what, BACKEND.variables(endpoint));
    }
  }

  /** Then nothing needs to be on the loader's path: the libraries find each other. */
  @Test
  void isPreloaded() throws IOException, InterruptedException {
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.remove("LD_LIBRARY_PATH");
    variables.put("LD_PRELOAD", Home.LIBRARIES.resolve("libcuda.so.1").toString());
    runs("preloaded", variables);
    Program.Ended linked =
        Program.run(
            List.of(Home.EXAMPLES.resolve("driver").resolve("vectorAdd").toString()), variables);
    assertEquals(0, linked.status(), linked::toString);
  }

  private static void runs(String what, Map<String, String> variables)
      throws IOException, InterruptedException {
    Program.Ended ended = Program.prints("ok", "loading", what, variables);
    assertEquals("", ended.errors(), ended::toString);
  }
}
