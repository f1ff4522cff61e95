// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The kinds of nodes that graphs have, over every communicator. */
final class GraphNodesTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> areThere() throws IOException {
    return Cases.overAll(
        BACKEND,
        "nodes",
        "events",
        "external-events",
        "into-a-graph",
        "in-vain-into-a-graph",
        "memories",
        "captured-memories",
        "values",
        "children",
        "changes",
        "turns",
        "host-copies",
        "objects",
        "printed");
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
  @TestFactory
  Stream<DynamicTest> nodesRunGraphs() throws IOException {
    return Cases.overAll(
        BACKEND,
        "inside",
        "moved",
        "changed",
        "copied",
        "captured",
        "memories",
        "of-the-program",
        "loops",
        "nested",
        "branches",
        "wrong");
  }

  /** Copies from and to memory that the program alone has. */
  @TestFactory
  Stream<DynamicTest> copiesMemoryOfTheProgram() throws IOException {
    return Cases.overAll(
        BACKEND,
        "relays",
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
        "ended");
  }
}
