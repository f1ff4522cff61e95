// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Answers from the frontend's memory equal those of the driver. */
final class SettingsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  @TestFactory
  Stream<DynamicTest> areWhatTheDriverWouldSay() throws IOException {
    return Cases.over(
        List.of("unix:" + BACKEND.socket()),
        BACKEND,
        "settings",
        "functions",
        "kernels",
        "module",
        "occupancy",
        "contexts",
        "names",
        "log",
        "unloading",
        "reset");
  }
}
