// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers from the frontend's memory equal those of the driver. */
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
        "names",
        "unloading",
        "reset",
      })
  void areWhatTheDriverWouldSay(String of) throws IOException, InterruptedException {
    Program.prints("ok", "settings", of, BACKEND.variables("unix:" + BACKEND.socket()));
  }
}
