// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of before CUDA 3.2 and CUDA 4.0 over every communicator. */
final class OlderTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(strings = {"contexts", "questions", "memory", "arrays", "boxes", "launches"})
  void functionsOfThatTimeCallThoseOfToday(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "older", topic, BACKEND.variables(endpoint));
    }
  }
}
