// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Page-locked memory that kernels use, over shared memory, and its refusal elsewhere. */
final class MappedMemoryTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "in-turns",
        "talking",
        "copies",
        "what-it-is",
        "registered",
        "freed",
      })
  void isThereOrRefused(String topic) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      String expected = endpoint.startsWith("shm:") ? "ok" : "refused";
      Program.prints(expected, "mapped", topic, BACKEND.variables(endpoint));
    }
  }

  @Test
  void whatIsRefusedSaysSoOnceAndNamesTheRemedy() throws IOException, InterruptedException {
    String endpoint =
        BACKEND.endpoints().stream().filter(one -> one.startsWith("tcp:")).findAny().orElseThrow();
    Program.Ended ended =
        Program.prints("refused", "mapped", "in-turns", BACKEND.variables(endpoint));
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertTrue(ended.errors().contains("cudaHostGetDevicePointer"), ended::toString);
    assertTrue(ended.errors().contains("over --on unix:PATH"), ended::toString);
  }
}
