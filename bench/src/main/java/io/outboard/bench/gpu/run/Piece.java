// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that is run each way.
 *
 * @param group what it belongs to
 * @param name its name; where the reading gives one figure, that figure's
 * @param command its command line
 * @param reading what is read of it
 * @param limit how long it may take
 */
record Piece(Group group, String name, List<String> command, Reading reading, Duration limit) {

  /** Runs it, for at most {@code left}. */
  Run run(int round, Way way, Duration left) throws IOException, InterruptedException {
    Duration most = limit.compareTo(left) < 0 ? limit : left;
    Map<String, String> environment = new HashMap<>(way.environment());
    if (reading == Reading.REPORT) {
      environment.put("OUTBOARD_REPORT", "1");
    }
    return reading.of(this, round, way, Execution.of(way.commandLine(command), environment, most));
  }
}
