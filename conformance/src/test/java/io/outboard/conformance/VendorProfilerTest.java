// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The worker has the host's CUPTI record what devices do: real workers with libraries in the place
 * of the vendor's driver and of its CUPTI.
 */
final class VendorProfilerTest {
  private static final Path DRIVER = Home.PROGRAMS.resolve("driver");

  @RegisterExtension
  static final Backend BACKEND =
      new Backend(
          VendorProfilerTest::onThatDriver,
          "nvidia",
          "--cupti=" + DRIVER.resolve("libcupti.so.13"));

  @RegisterExtension
  static final Backend WITHOUT =
      new Backend(
          VendorProfilerTest::onThatDriver,
          "nvidia",
          "--cupti=" + Home.LIBRARIES.resolve("libcupti.so.13"));

  private static List<String> onThatDriver(Path temporary) {
    return Backend.fromSources(temporary, "LD_LIBRARY_PATH=" + DRIVER);
  }

  @TestFactory
  Stream<DynamicTest> seesTheDevice() throws IOException {
    return Cases.overAll(
        BACKEND,
        "profiler",
        "records",
        "largeCopies",
        "pageLocked",
        "ticks",
        "threads",
        "runtime",
        "choices",
        "manyTimes",
        "callbacks",
        "waits");
  }

  /** Ours is for programs, and of no use to a worker: the program hears why, once. */
  @Test
  void saysWhereThereIsNone() throws IOException, InterruptedException {
    String program = Home.PROGRAMS.resolve("profiler").toString();
    Program.Ended ended =
        Program.run(
            List.of(program, "refused", "refused"),
            WITHOUT.variables(WITHOUT.endpoints().getFirst()));
    assertEquals("ok\nok\n", ended.output(), ended::errors);
    assertEquals(1, ended.errors().lines().count(), ended::errors);
    assertTrue(ended.errors().contains("there is no CUPTI"), ended::errors);
  }
}
