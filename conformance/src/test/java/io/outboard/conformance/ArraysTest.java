// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays, textures and surfaces over every communicator. */
final class ArraysTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rows",
        "boxes",
        "sides",
        "large",
        "shapes",
        "wrong",
        "objects",
        "ordered",
        "captured",
        "trapped",
      })
  void areServed(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "arrays", topic, BACKEND.variables(endpoint));
    }
  }
}
