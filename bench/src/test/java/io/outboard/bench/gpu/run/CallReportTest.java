// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CallReportTest {
  @Test
  void sumsProcessesAndIgnoresWhatElseIsPrinted() {
    CallReport report =
        CallReport.parse(
            """
            a program's own  1 2 3 4 5 6
            outboard: process 12, libcuda.so.1: what was not answered in the program itself
            function      calls round trips     bytes sent bytes received     time, ms   mean, us
            cuMemAlloc_v2     3           3            168            144       39.961  13320.204
            cuLaunchKernel   10           0            144              0        0.000      0.361
            all              13           3            312            144       39.961      7.000
            later             1           1              1              1            1          1

            outboard: process 13, libcuda.so.1: what was not answered in the program itself
            function      calls round trips     bytes sent bytes received     time, ms   mean, us
            cuMemAlloc_v2     2           2            168            144       39.961  13320.204
            all               2           2            312            144       39.961      7.000
            """);
    assertEquals(Map.of("cuMemAlloc_v2", 5.0, "cuLaunchKernel", 0.0), report.roundTrips());
    assertEquals(5, report.all());
  }
}
