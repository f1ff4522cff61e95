// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
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
        "into-a-graph",
        "memories",
        "captured-memories",
        "values",
        "children",
        "changes",
        "host-copies",
        "printed",
      })
  void areThere(String kind) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      boolean shared = endpoint.startsWith("shm:") || !kind.equals("host-copies");
      Program.prints(shared ? "ok" : "refused", "nodes", kind, BACKEND.variables(endpoint));
    }
  }
}
