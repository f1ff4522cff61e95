// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** That the benchmark does what it says; how long it takes is not a test's business. */
class SessionBenchmarkTest {
  @Test
  void callsSucceed() throws IOException {
    SessionBenchmark benchmark = new SessionBenchmark();
    benchmark.open();
    assertEquals(0, benchmark.plain());
    assertEquals(0, benchmark.posted());
    benchmark.close();
  }
}
