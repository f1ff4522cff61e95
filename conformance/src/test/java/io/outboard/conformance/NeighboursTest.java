// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.patience.Patience;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory and events that processes share, by names and by descriptors, whichever way each has come
 * to its worker.
 */
final class NeighboursTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software", "--grace=0");

  @ParameterizedTest
  @ValueSource(strings = {"memory", "events", "death", "freed", "wrong"})
  void areShared(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "neighbours", topic, BACKEND.variables(endpoint));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "often", "closed", "wrong", "gone", "forked", "pool", "pools"})
  void areDescriptors(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "descriptors", topic, BACKEND.variables(endpoint));
    }
  }

  /** The memory of a worker goes with it, so that nothing is left once only the spare one is. */
  @AfterEach
  void workersEnd() throws Exception {
    Patience.until("the workers' end", () -> BACKEND.workers().size() <= 1);
  }
}
