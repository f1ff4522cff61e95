// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
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
        "turns",
        "host-copies",
        "objects",
        "printed",
      })
  void areThere(String kind) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "nodes", kind, BACKEND.variables(endpoint));
    }
  }

  /** Twenty turns that change a copy and a launch alike: the first of each is answered. */
  @Test
  void changesOfOneShapeAreAnsweredOnce() throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables("unix:" + BACKEND.socket()));
    variables.put("OUTBOARD_REPORT", "1");
    String report = Program.prints("ok", "nodes", "turns", variables).errors();
    // The wrong ones at the end are answered too.
    assertTrue(roundTrips("cuGraphExecMemcpyNodeSetParams", 23, 4).matcher(report).find(), report);
    assertTrue(
        roundTrips("outboardGraphExecKernelNodeSetParams", 21, 2).matcher(report).find(), report);
  }

  private static Pattern roundTrips(String function, int calls, int trips) {
    return Pattern.compile("(?m)^%s +%d +%d ".formatted(function, calls, trips));
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
