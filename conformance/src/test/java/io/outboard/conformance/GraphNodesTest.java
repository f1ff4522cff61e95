// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kinds of nodes that graphs have, over every communicator. */
final class GraphNodesTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "events",
        "external-events",
        "memories",
        "captured-memories",
        "values",
        "children",
        "changes",
        "host-copies",
      })
  void areThere(String kind) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended =
          Program.run(
              List.of(Home.PROGRAMS.resolve("nodes").toString(), kind),
              BACKEND.variables(endpoint));
      boolean shared = endpoint.startsWith("shm:") || !kind.equals("host-copies");
      assertEquals(
          shared ? "ok" : "refused", ended.output().strip(), () -> endpoint + ": " + ended);
      assertEquals(0, ended.status(), () -> endpoint + ": " + ended);
    }
  }
}
