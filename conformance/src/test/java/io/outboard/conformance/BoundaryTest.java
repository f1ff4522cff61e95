// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions beyond allocating, copying and launching; over every communicator. */
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
      Program.prints("ok", "boundary", topic, BACKEND.variables(endpoint));
    }
  }
}
