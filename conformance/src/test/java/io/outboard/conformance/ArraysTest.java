// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Arrays, textures and surfaces over every communicator. */
final class ArraysTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> areServed() throws IOException {
    return Cases.overAll(
        BACKEND,
        "arrays",
        "rows",
        "boxes",
        "sides",
        "large",
        "shapes",
        "wrong",
        "objects",
        "ordered",
        "captured",
        "outlived",
        "flags",
        "trapped");
  }
}
