// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Features that only a vendor's driver has, over every communicator: a real worker with a library
 * in the place of the driver's.
 */
final class VendorDriverTest {
  private static final Path DRIVER = Home.PROGRAMS.resolve("driver");

  @RegisterExtension
  static final Backend BACKEND = new Backend(VendorDriverTest::onThatDriver, "nvidia");

  private static List<String> onThatDriver(Path temporary) {
    return Backend.fromSources(temporary, "LD_LIBRARY_PATH=" + DRIVER);
  }

  @TestFactory
  Stream<DynamicTest> programAndKernelsUseVariables() throws IOException {
    return Cases.overAll(
        BACKEND,
        "mirrors",
        "neighbours",
        "ways",
        "copies",
        "large",
        "while-it-runs",
        "threads",
        "ends",
        "of-a-librarys-module",
        "page-locked",
        "written-meanwhile");
  }

  @TestFactory
  Stream<DynamicTest> aNodeRunsGraphs() throws IOException {
    return Cases.overAll(BACKEND, "conditions", "bodies", "moved", "wrong");
  }

  @TestFactory
  Stream<DynamicTest> programAndKernelsUseManagedMemory() throws IOException {
    return Cases.overAll(BACKEND, "managed", "in-turns", "variables", "libraries", "reloaded");
  }

  @TestFactory
  Stream<DynamicTest> variablesAreThereBeforeAContext() throws IOException {
    return Stream.concat(
        Cases.overAll(BACKEND, "early", "first"), Cases.overAll(BACKEND, "early", "ended"));
  }

  @TestFactory
  Stream<DynamicTest> texturesAndSurfacesThatModulesNameAreTheDrivers() throws IOException {
    return Cases.overAll(BACKEND, "references", "ends", "settings", "places");
  }
}
