// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the compiler says of images that it refuses, over every communicator. */
final class ErrorLogTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> isWritten() throws IOException {
    return Cases.overAll(BACKEND, "jit", "module", "fine", "linked");
  }
}
