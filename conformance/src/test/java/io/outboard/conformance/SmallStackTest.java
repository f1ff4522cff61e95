// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What launches take of the stacks of threads, over every communicator. */
final class SmallStackTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> isEnough() throws IOException {
    return Cases.overAll(BACKEND, "stack", "storage", "launches");
  }
}
