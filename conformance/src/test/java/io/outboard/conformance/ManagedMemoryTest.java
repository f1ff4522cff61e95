// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Managed memory over shared memory, and its refusal elsewhere. */
final class ManagedMemoryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "in-turns",
        "copies",
        "rectangles",
        "what-it-is",
        "advice",
        "attached",
        "wrong",
        "freed",
        "captured",
      })
  void isThereOrRefused(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended =
          Program.run(
              List.of(Home.PROGRAMS.resolve("managed").toString(), topic),
              BACKEND.variables(endpoint));
      String expected = endpoint.startsWith("shm:") ? "ok" : "refused";
      assertEquals(expected, ended.output().strip(), () -> endpoint + ": " + ended);
      assertEquals(0, ended.status(), () -> endpoint + ": " + ended);
    }
  }
}
