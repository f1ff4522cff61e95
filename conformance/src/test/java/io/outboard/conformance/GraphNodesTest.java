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
        "objects",
        "printed",
      })
  void areThere(String kind) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "nodes", kind, BACKEND.variables(endpoint));
    }
  }

  /** Graphs that nodes of other graphs run: copies, graphs that moved there, and conditions'. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "moved",
        "changed",
        "copied",
        "captured",
        "memories",
        "of-the-program",
        "loops",
        "nested",
        "branches",
        "wrong",
      })
  void nodesRunGraphs(String how) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "inside", how, BACKEND.variables(endpoint));
    }
  }

  /** Copies from and to memory that the program alone has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "added",
        "boxes",
        "captured",
        "captured-parts",
        "changed",
        "read-at-once",
        "taken-out",
        "cloned",
        "renewed",
        "among-functions",
        "ended",
      })
  void copiesMemoryOfTheProgram(String how) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "relays", how, BACKEND.variables(endpoint));
    }
  }
}
