// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Functions beyond allocating, copying and launching; over every communicator. */
final class BoundaryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> isThere() throws IOException {
    return Cases.overAll(
        BACKEND,
        "boundary",
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
        "large-images");
  }
}
