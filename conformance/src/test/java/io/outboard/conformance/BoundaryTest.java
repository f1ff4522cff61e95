// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies beyond allocating, copying and launching; over every communicator. */
final class BoundaryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "captured-graph",
        "forked-capture",
        "unjoined-capture",
        "broken-capture",
        "capture-info",
        "built-graph",
        "function-in-graph",
        "pools",
        "virtual-memory",
        "zeros",
        "values",
        "boxes",
        "batches",
        "configured-launch",
        "cooperative",
        "linked-image",
        "large-images",
      })
  void isThere(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended =
          Program.run(
              List.of(Home.PROGRAMS.resolve("boundary").toString(), topic),
              BACKEND.variables(endpoint));
      assertEquals("ok", ended.output().strip(), () -> endpoint + ": " + ended);
      assertEquals(0, ended.status(), () -> endpoint + ": " + ended);
    }
  }
}
