// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver keeps for a thread or a context stays with it, whoever makes the calls. */
final class StateTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "many-contexts",
        "popped-context",
        "own-stream",
        "other-threads-stream",
        "own-stream-after-reset",
        "callback-that-calls",
      })
  void staysWhereItBelongs(String what) throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(
            List.of(Home.PROGRAMS.resolve("state").toString(), what),
            BACKEND.variables("unix:" + BACKEND.socket()));
    assertEquals("ok", ended.output().strip(), ended::toString);
    assertEquals(0, ended.status(), ended::toString);
  }
}
