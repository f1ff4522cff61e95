// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs of before CUDA 3.2 and CUDA 4.0 over every communicator. */
final class OlderTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> functionsOfThatTimeCallThoseOfToday() throws IOException {
    return Cases.overAll(
        BACKEND, "older", "contexts", "questions", "memory", "arrays", "boxes", "launches");
  }
}
