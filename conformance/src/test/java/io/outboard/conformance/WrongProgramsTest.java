// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs that do something wrong get the error that CUDA documents for it (CUDA Driver API, 6.1
 * {@code CUresult} and the description of each function), and end; over every communicator.
 */
final class WrongProgramsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @CsvSource({
    "not-initialised, 3",
    "no-context, 201",
    "bad-device, 101",
    "null-pointer, 1",
    "zero-bytes, 1",
    "too-much, 2",
    "freed-twice, 1",
    "copy-from-nowhere, 1",
    "empty-grid, 1",
    "large-block, 1",
    "much-shared, 1",
    "no-function, 500",
    "bad-image, 200",
    "bad-ptx, 218",
    "null-function, 400",
    "foreign-stream, 400",
    "destroyed-event, 400",
    "event-never-recorded, 400",
    "wild-store, 700",
    "after-a-wild-store, 700",
    "crooked-store, 716",
    "trap, 719",
    "missing-instruction, 801",
    "after-a-missing-instruction, 0",
  })
  void getTheDocumentedError(String wrong, String error) throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.Ended ended =
          Program.run(
              List.of(Home.PROGRAMS.resolve("wrong").toString(), wrong),
              BACKEND.variables(endpoint));
      assertEquals(error, ended.output().strip(), () -> endpoint + ": " + ended);
      assertEquals(0, ended.status(), () -> endpoint + ": " + ended);
    }
  }
}
