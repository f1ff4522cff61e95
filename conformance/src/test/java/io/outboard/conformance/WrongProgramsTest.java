// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that do something wrong get the error that CUDA documents for it (CUDA Driver API, 6.1
 * {@code CUresult} and the description of each function), and end; over every communicator.
 */
final class WrongProgramsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final int SEGMENTATION_FAULT = 128 + 11;

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
        "copy-the-wrong-way=0",
        "copy-from-nowhere=1",
        "copy-of-too-much=1",
        "too-many-options=1",
        "empty-grid=1",
        "large-block=1",
        "much-shared=1",
        "shared-that-nobody-set=1",
        "box-to-the-program=1",
        "registered-nowhere=1",
        "later-ptx=222",
        "later-device=218",
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

  /** A pointer that leads nowhere ends the program, as natively; a line says whose it was. */
  @ParameterizedTest
  @CsvSource({
    "copy-of-what-is-not-there, cuMemcpyHtoD",
    "copy-to-what-is-not-there, cuMemcpyDtoH",
    "result-for-nowhere, cuMemGetInfo"
  })
  void aPointerToNowhereIsSaidToBeOne(String wrong, String call) throws Exception {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended =
          Program.run(
              List.of(Home.PROGRAMS.resolve("wrong").toString(), wrong),
              BACKEND.variables(endpoint));
      assertEquals(SEGMENTATION_FAULT, ended.status(), endpoint + ": " + ended);
      List<String> said = ended.errors().lines().toList();
      assertEquals(1, said.size(), endpoint + ": " + ended);
      assertTrue(said.getFirst().startsWith("outboard: " + call), endpoint + ": " + ended);
      assertTrue(said.getFirst().contains(" 0x10000"), endpoint + ": " + ended);
    }
  }
}
