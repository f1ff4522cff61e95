// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the frontend answers from memory is what the driver would answer. */
final class SettingsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "functions",
        "kernels",
        "module",
        "occupancy",
        "contexts",
        "unloading",
        "reset",
      })
  void areWhatTheDriverWouldSay(String of) throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(
            List.of(Home.PROGRAMS.resolve("settings").toString(), of),
            BACKEND.variables("unix:" + BACKEND.socket()));
    assertEquals("ok", ended.output().strip(), ended::toString);
    assertEquals(0, ended.status(), ended::toString);
  }
}
