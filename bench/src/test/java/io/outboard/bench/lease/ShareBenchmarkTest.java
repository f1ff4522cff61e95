// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** That the benchmark does what it says; how long it takes is not a test's business. */
class ShareBenchmarkTest {
  @Test
  void launchesAreMeteredWhereThereIsAShare() throws Exception {
    for (boolean shared : new boolean[] {false, true}) {
      ShareBenchmark benchmark = new ShareBenchmark();
      benchmark.shared = shared;
      benchmark.open();
      assertEquals(0, benchmark.launch());
      assertEquals(shared, benchmark.records() > 0);
      benchmark.close();
    }
  }
}
