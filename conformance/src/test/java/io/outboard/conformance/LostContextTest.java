// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The errors that a program sees once a kernel has lost its context, over every communicator. */
final class LostContextTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final String CALLS =
      "first allocate create record launch fill copy query wait elsewhere free unload"
          + " end-event end-stream synchronise";

  @ParameterizedTest
  @CsvSource({"illegal, 700", "assert, 710", "misaligned, 716", "trap, 719"})
  void eachLaterCallReturnsTheReasonUntilTheContextEnds(String kernel, int reason)
      throws IOException, InterruptedException {
    String told =
        Stream.of(CALLS.split(" "))
            .map(call -> " " + call + " " + reason)
            .collect(Collectors.joining("", kernel + ":", " | end 0 anew 0"));
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints(told, "sticky", kernel, BACKEND.variables(endpoint));
    }
  }
}
