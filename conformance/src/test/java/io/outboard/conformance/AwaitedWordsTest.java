// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams that wait for words of the program's memory, over every communicator. */
final class AwaitedWordsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> areSeen() throws IOException {
    return Cases.overAll(BACKEND, "awaited", "written", "by-a-stream", "fulfilled");
  }
}
