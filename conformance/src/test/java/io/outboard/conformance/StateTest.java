// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** State that a driver keeps for a thread or a context stays with it, whoever makes the calls. */
final class StateTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> staysWhereItBelongs() throws IOException {
    return Cases.over(
        List.of("unix:" + BACKEND.socket()),
        BACKEND,
        "state",
        "tables-of-tools",
        "many-contexts",
        "popped-context",
        "own-stream",
        "other-threads-stream",
        "own-stream-after-reset",
        "callback-that-calls",
        "another-contexts-event",
        "an-event-of-both-contexts",
        "wrong-events",
        "another-contexts-stream",
        "into-another-contexts-stream");
  }

  /** NVRTC's results are files on the program's machine. */
  @Test
  void whatOneProcessCompiledAnotherOneFinds(@TempDir Path cache)
      throws IOException, InterruptedException {
    for (String program : List.of("compiled-first", "compiled-before")) {
      Map<String, String> variables = new HashMap<>(BACKEND.variables("unix:" + BACKEND.socket()));
      variables.put("CUDA_CACHE_PATH", cache.toString());
      Program.prints("ok", "state", program, variables);
    }
  }

  /** An address says itself whose it is. */
  @Test
  void memoryIsFreedWithoutACurrentContext() throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "state", "freed-without-a-context", BACKEND.variables(endpoint));
    }
  }

  /** Where nothing would be read any more, nobody would hear that a function has returned. */
  @Test
  void whatIsFarBehindFunctionsGetsThere() throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", "state", "far-behind-functions", BACKEND.variables(endpoint));
    }
  }
}
