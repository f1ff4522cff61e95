// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Features that only a vendor's driver has, over every communicator: a real worker with a library
 * in the place of the driver's.
 */
final class VendorDriverTest {
  private static final Path DRIVER = Home.PROGRAMS.resolve("driver");

  @RegisterExtension
  static final Backend BACKEND = new Backend(VendorDriverTest::onThatDriver, "nvidia");

  private static List<String> onThatDriver(Path temporary) {
    List<String> words = new ArrayList<>(List.of("env", "LD_LIBRARY_PATH=" + DRIVER));
    words.addAll(Backend.fromSources(temporary));
    return words;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "neighbours",
        "ways",
        "copies",
        "large",
        "while-it-runs",
        "threads",
        "ends",
        "of-a-librarys-module",
        "page-locked",
        "written-meanwhile",
      })
  void programAndKernelsUseVariables(String topic) throws IOException, InterruptedException {
    isThere("mirrors", topic);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bodies", "moved", "wrong"})
  void aNodeRunsGraphs(String topic) throws IOException, InterruptedException {
    isThere("conditions", topic);
  }

  @ParameterizedTest
  @ValueSource(strings = {"in-turns", "variables", "libraries", "reloaded"})
  void programAndKernelsUseManagedMemory(String topic) throws IOException, InterruptedException {
    isThere("managed", topic);
  }

  @ParameterizedTest
  @ValueSource(strings = {"first", "ended"})
  void variablesAreThereBeforeAContext(String topic) throws IOException, InterruptedException {
    isThere("early", topic);
  }

  @ParameterizedTest
  @ValueSource(strings = {"settings", "places", "ends"})
  void texturesAndSurfacesThatModulesNameAreTheDrivers(String topic)
      throws IOException, InterruptedException {
    isThere("references", topic);
  }

  private static void isThere(String program, String topic)
      throws IOException, InterruptedException {
    for (String endpoint : BACKEND.endpoints()) {
      Program.prints("ok", program, topic, BACKEND.variables(endpoint));
    }
  }
}
