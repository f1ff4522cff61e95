// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that do something wrong get the error that CUDA documents for it (CUDA Driver API, 6.1
 * {@code CUresult} and the description of each function), and end; over every communicator.
 */
final class WrongProgramsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /** In one process, which goes on. */
  @TestFactory
  Stream<DynamicTest> mistakesGetTheDocumentedError() throws IOException {
    return Cases.overAll(
        BACKEND,
        "wrong",
        "bad-device=101",
        "null-pointer=1",
        "zero-bytes=1",
        "too-much=2",
        "copy-from-nowhere=1",
        "copy-of-too-much=1",
        "too-many-options=1",
        "empty-grid=1",
        "large-block=1",
        "much-shared=1",
        "no-function=500",
        "bad-image=200",
        "bad-ptx=218",
        "null-function=400",
        "foreign-stream=400",
        "destroyed-event=400",
        "event-never-recorded=400",
        "missing-instruction=801",
        "after-a-missing-instruction=0",
        "freed-twice=1");
  }

  /** Each in a process of its own, of which it spoils the context or is the first call. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "not-initialised=3",
        "no-context=201",
        "wild-store=700",
        "after-a-wild-store=700",
        "crooked-store=716",
        "trap=719",
      })
  void aContextThatIsMissingOrSpoiltIsTheDocumentedError(String wrong) throws Exception {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended unused = Program.prints("ok", "wrong", wrong, BACKEND.variables(endpoint));
    }
  }
}
