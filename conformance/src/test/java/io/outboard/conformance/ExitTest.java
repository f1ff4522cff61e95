// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs whose handlers release the primary context while the process exits. */
final class ExitTest {
  private static final String RELEASE = "cuDevicePrimaryCtxRelease_v2 ";

  @RegisterExtension static final Backend BACKEND = new Backend();

  /**
   * The end of a session destroys its contexts; only memory that is left is waited for. A program
   * is told that the driver is gone.
   */
  @ParameterizedTest
  @CsvSource({"freed, 4, 0", "left, 4, 1", "early, 4, 1"})
  void aContextIsLeftToTheEndOfTheSession(String when, String said, long releases)
      throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Map<String, String> variables = new HashMap<>(BACKEND.variables(endpoint));
      variables.put("OUTBOARD_REPORT", "1");
      Program.Ended ended = Program.prints(said, "exits", when, variables);
      long seen = ended.errors().lines().filter(line -> line.startsWith(RELEASE)).count();
      assertEquals(releases, seen, ended::toString);
    }
  }
}
